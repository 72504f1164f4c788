import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.mime.HttpMultipartMode;
import org.apache.http.entity.mime.MultipartEntityBuilder;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.VersionInfo;

/** Sends the forms with Apache HttpClient. Usage: ApacheClient ADDRESS FORMS. */
public class ApacheClient {
    static String text(String word) {
        return new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
    }

    static void add(MultipartEntityBuilder form, String[] words) {
        if (words[1].equals("file")) {
            byte[] content = Base64.getDecoder().decode(words[5]);
            form.addBinaryBody(text(words[2]), content, ContentType.parse(text(words[4])), text(words[3]));
        } else {
            form.addTextBody(text(words[2]), text(words[5]), ContentType.create("text/plain", StandardCharsets.UTF_8));
        }
    }

    public static void main(String[] arguments) throws Exception {
        VersionInfo version = VersionInfo.loadVersionInfo("org.apache.http.client", ApacheClient.class.getClassLoader());
        System.out.println("version\t" + version.getRelease());
        Map<String, MultipartEntityBuilder> forms = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of(arguments[1]))) {
            String[] words = line.split("\t", -1);
            // The only mode that writes names in UTF-8.
            add(forms.computeIfAbsent(words[0], id ->
                MultipartEntityBuilder.create().setMode(HttpMultipartMode.RFC6532)), words);
        }
        try (CloseableHttpClient client = HttpClients.createDefault()) {
            for (Map.Entry<String, MultipartEntityBuilder> form : forms.entrySet()) {
                HttpPost request = new HttpPost(arguments[0] + "/" + form.getKey());
                request.setEntity(form.getValue().build());
                client.execute(request).close();
            }
        }
    }
}
