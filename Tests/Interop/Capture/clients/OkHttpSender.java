import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;

/** Sends the forms with OkHttp. Usage: OkHttpSender ADDRESS FORMS. */
public class OkHttpSender {
    static String text(String word) {
        return new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
    }

    static void add(MultipartBody.Builder form, String[] words) {
        if (words[1].equals("file")) {
            RequestBody content = RequestBody.create(
                MediaType.parse(text(words[4])), Base64.getDecoder().decode(words[5]));
            form.addFormDataPart(text(words[2]), text(words[3]), content);
        } else {
            form.addFormDataPart(text(words[2]), text(words[5]));
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("version\t" + okhttp3.internal.Version.userAgent().replace("okhttp/", ""));
        Map<String, MultipartBody.Builder> forms = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of(arguments[1]))) {
            String[] words = line.split("\t", -1);
            add(forms.computeIfAbsent(words[0], id -> new MultipartBody.Builder().setType(MultipartBody.FORM)), words);
        }
        OkHttpClient client = new OkHttpClient();
        for (Map.Entry<String, MultipartBody.Builder> form : forms.entrySet()) {
            String address = arguments[0] + "/" + form.getKey();
            Request request = new Request.Builder().url(address).post(form.getValue().build()).build();
            client.newCall(request).execute().close();
        }
        // Its threads would keep the process alive.
        System.exit(0);
    }
}
