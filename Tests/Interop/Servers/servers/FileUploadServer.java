import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.commons.fileupload.FileItem;
import org.apache.commons.fileupload.FileUpload;
import org.apache.commons.fileupload.FileUploadException;
import org.apache.commons.fileupload.RequestContext;
import org.apache.commons.fileupload.disk.DiskFileItemFactory;

/** Reads forms with commons-fileupload. Usage: FileUploadServer VERSION PORT. */
public class FileUploadServer {
    static class Request implements RequestContext {
        private final HttpExchange exchange;

        Request(HttpExchange exchange) {
            this.exchange = exchange;
        }

        public String getCharacterEncoding() {
            return "UTF-8";
        }

        public String getContentType() {
            return exchange.getRequestHeaders().getFirst("Content-Type");
        }

        public int getContentLength() {
            return Integer.parseInt(exchange.getRequestHeaders().getFirst("Content-Length"));
        }

        public InputStream getInputStream() {
            return exchange.getRequestBody();
        }
    }

    static String json(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder result = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            boolean isPlain = letter >= ' ' && letter < 127 && letter != '"' && letter != '\\';
            result.append(isPlain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        return result.append('"').toString();
    }

    static String part(FileItem item) {
        String content = Base64.getEncoder().encodeToString(item.get());
        return "{\"name\":" + json(item.getFieldName())
            + ",\"filename\":" + json(item.isFormField() ? null : item.getName())
            + ",\"type\":" + json(item.getContentType()) + ",\"content\":\"" + content + "\"}";
    }

    static void read(HttpExchange exchange, String version) throws IOException {
        int status = 200;
        String answer;
        try {
            FileUpload upload = new FileUpload(new DiskFileItemFactory());
            upload.setHeaderEncoding("UTF-8");
            List<String> parts = new ArrayList<>();
            for (FileItem item : upload.parseRequest(new Request(exchange))) {
                parts.add(part(item));
            }
            answer = "{\"version\":" + json(version) + ",\"parts\":[" + String.join(",", parts) + "]}";
        } catch (FileUploadException | RuntimeException error) {
            status = 400;
            answer = error.toString();
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> read(exchange, arguments[0]));
        server.start();
    }
}
