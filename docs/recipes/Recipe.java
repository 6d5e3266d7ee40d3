import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.*;

class Recipe {
    static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    static String send(String events) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("TRIBUTARY_URL") + "/v1/events"))
            .header("Authorization", "Bearer " + System.getenv("TRIBUTARY_WRITE_KEY"))
            .header("Content-Type", "application/json").timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString("{\"events\":" + events + "}")).build();
        for (int attempt = 0; attempt < 10; attempt++) {
            long pause = Math.min(1L << attempt, 60);
            try {
                var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                int status = answer.statusCode();
                if (status < 300) return answer.body();
                if (status < 500 && status != 408 && status != 429) throw new IllegalStateException(answer.body());
                pause = answer.headers().firstValueAsLong("Retry-After").orElse(pause);
            } catch (IOException noAnswer) { }
            Thread.sleep(pause * 1000);
        }
        throw new IllegalStateException("no answer after 10 tries");
    }

    public static void main(String[] arguments) throws InterruptedException {
        var id = UUID.randomUUID();
        System.out.println(send("""
            [{"type": "conversion", "event_id": "%s", "user_id": "bob", "name": "purchase"}]""".formatted(id)));
    }
}
