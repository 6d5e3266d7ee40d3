<?php
function ask(string $path, string $body, string $key, array $more = []): array {
    $context = stream_context_create(['http' => [
        'method' => $body === '' ? 'GET' : 'POST', 'timeout' => 10, 'ignore_errors' => true, 'content' => $body,
        'header' => ["Authorization: Bearer $key", 'Content-Type: application/json', ...$more],
    ]]);
    $http_response_header = [];
    $text = @file_get_contents(getenv('TRIBUTARY_URL') . $path, false, $context);
    $head = implode("\n", $http_response_header);
    $status = preg_match('~^HTTP/\S+ (\d+)~', $head, $match) ? (int) $match[1] : 0; // 0: no answer
    $retryAfter = preg_match('~^Retry-After: *(\d+)~mi', $head, $match) ? (int) $match[1] : null;
    return [$status, $retryAfter, (string) $text];
}

function send(array $events): array {
    $body = json_encode(['events' => $events]);
    for ($attempt = 0; $attempt < 10; $attempt++) {
        [$status, $retryAfter, $text] = ask('/v1/events', $body, getenv('TRIBUTARY_WRITE_KEY'));
        if ($status >= 200 && $status < 300) return json_decode($text, true);
        if ($status >= 300 && $status < 500 && !in_array($status, [408, 429])) throw new RuntimeException($text);
        sleep($retryAfter ?? min(2 ** $attempt, 60));
    }
    throw new RuntimeException('no answer after 10 tries');
}

function relay(string $path, string $body, string $address): array {
    if (!in_array(strtok($path, '?'), ['/v1/events', '/v1/deferred-links'])) return [404, null, ''];
    $answer = ask($path, $body, getenv('TRIBUTARY_APP_KEY'), ["X-Forwarded-For: $address"]);
    return $answer[0] ? $answer : [503, 5, ''];
}

function uuid(): string {
    $pattern = '/(.{8})(.{4}).(.{3}).(.{3})(.{12})/';
    return preg_replace($pattern, '$1-$2-4$3-8$4-$5', bin2hex(random_bytes(16)));
}

if (in_array('relay', $argv)) {
    print_r(relay($argv[2], file_get_contents('php://stdin'), '192.0.2.1'));
    exit;
}
print_r(send([['type' => 'conversion', 'event_id' => uuid(), 'user_id' => 'bob', 'name' => 'purchase']]));
