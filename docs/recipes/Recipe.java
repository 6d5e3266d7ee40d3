import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;

class Recipe {
    static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    static HttpResponse<String> ask(String path, String body, String key, String... more)
        throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("TRIBUTARY_URL") + path))
            .header("Authorization", "Bearer " + System.getenv(key))
            .header("Content-Type", "application/json").timeout(Duration.ofSeconds(10));
        if (more.length > 0) request.headers(more);
        if (!body.isEmpty()) request.POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static String send(String events) throws InterruptedException {
        for (int attempt = 0; attempt < 10; attempt++) {
            long pause = Math.min(1L << attempt, 60);
            try {
                var answer = ask("/v1/events", "{\"events\":" + events + "}", "TRIBUTARY_WRITE_KEY");
                int status = answer.statusCode();
                if (status < 300) return answer.body();
                if (status < 500 && status != 408 && status != 429) throw new IllegalStateException(answer.body());
                pause = answer.headers().firstValueAsLong("Retry-After").orElse(pause);
            } catch (IOException noAnswer) { }
            Thread.sleep(pause * 1000);
        }
        throw new IllegalStateException("no answer after 10 tries");
    }

    record Relayed(int status, String retryAfter, String text) { }

    static Relayed relay(String path, String body, String address) throws InterruptedException {
        if (!Set.of("/v1/events", "/v1/deferred-links").contains(path.split("\\?")[0])) return new Relayed(404, "", "");
        try {
            var answer = ask(path, body, "TRIBUTARY_APP_KEY", "X-Forwarded-For", address);
            return new Relayed(answer.statusCode(), answer.headers().firstValue("Retry-After").orElse(""), answer.body());
        } catch (IOException noAnswer) {
            return new Relayed(503, "5", "");
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 1) {
            var body = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
            System.out.println(relay(arguments[1], body, "192.0.2.1"));
            return;
        }
        var id = UUID.randomUUID();
        System.out.println(send("""
            [{"type": "conversion", "event_id": "%s", "user_id": "bob", "name": "purchase"}]""".formatted(id)));
    }
}
