import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

/** `java Client.java BASE TOKEN STEPS`: sends each line `METHOD PATH [BODY]` of the file and prints each status. */
class Client {
    public static void main(String[] arguments) throws Exception {
        // The standard settings: on plain HTTP it offers an upgrade to HTTP/2 with its first request.
        HttpClient client = HttpClient.newHttpClient();
        for (String line : Files.readAllLines(Path.of(arguments[2]))) {
            String[] step = line.split(" ", 3);
            HttpRequest.BodyPublisher body = step.length < 3
                ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(step[2]);
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0] + step[1]))
                .header("Authorization", "Bearer " + arguments[1])
                .header("Content-Type", "application/json")
                .method(step[0], body)
                .build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            System.out.println(response.statusCode());
        }
    }
}
