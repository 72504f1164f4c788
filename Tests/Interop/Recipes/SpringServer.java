import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.servlet.MultipartConfigElement;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.GenericWebApplicationContext;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Runs Spring with a method that has a {@code @RequestPart} of JSON. Prints its address as JSON; ends with its input. */
public class SpringServer {
    public static class Metadata {
        public String title;
        public List<String> tags;
        public int rating;
    }

    @RestController
    public static class Photos {
        @PostMapping("/spring")
        public Map<String, Object> save(
            @RequestPart("metadata") Metadata metadata,
            @RequestPart("photo") MultipartFile photo
        ) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("metadata", metadata);
            answer.put("photo", photo.getSize());
            return answer;
        }
    }

    /** Without the configuration by annotations, which would generate classes. */
    private static GenericWebApplicationContext makeContext() {
        GenericWebApplicationContext context = new GenericWebApplicationContext();
        RootBeanDefinition adapter = new RootBeanDefinition(RequestMappingHandlerAdapter.class);
        adapter.getPropertyValues().add("messageConverters", List.of(new MappingJackson2HttpMessageConverter()));
        context.registerBeanDefinition("adapter", adapter);
        context.registerBeanDefinition("mapping", new RootBeanDefinition(RequestMappingHandlerMapping.class));
        context.registerBeanDefinition("photos", new RootBeanDefinition(Photos.class));
        context.getBeanFactory().registerSingleton("multipartResolver", new StandardServletMultipartResolver());
        return context;
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        Path folder = Files.createTempDirectory("spring");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", folder.toString());
        GenericWebApplicationContext spring = makeContext();
        Wrapper servlet = Tomcat.addServlet(context, "spring", new DispatcherServlet(spring));
        servlet.setMultipartConfigElement(new MultipartConfigElement(folder.toString()));
        servlet.setLoadOnStartup(1);
        context.addServletMappingDecoded("/", "spring");
        tomcat.start();
        System.out.println("{\"url\": \"http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "\"}");
        while (System.in.read() >= 0) {}
        tomcat.stop();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
        System.exit(0);
    }
}
