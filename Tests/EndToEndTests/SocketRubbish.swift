/// Bytes that are no HTTP, or that proxies and servers have been known to read differently.
enum SocketRubbish {
    /// - Parameter key: a write key, so that no request is refused because it has none.
    static func requests(key: String) -> [String] {
        let head = """
            POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(key)\r\nContent-Type: application/json\r\n
            """
        let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
        // If the daemon took this for a request, it would answer with its metrics.
        let hidden = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n"
        var requests = [
            head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
            head + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + hidden,
            head + "Content-Length: 5\r\nContent-Length: 50\r\n\r\n" + hidden,
            chunked + "5\r\n{\"a\":XX5\r\n" + hidden, chunked + "5;" + String(repeating: "a", count: 100_000),
            chunked + "0\r\n" + String(repeating: "X-A: b\r\n", count: 20_000),
            head + "Content-Length : 5\r\n\r\n" + hidden, head + "X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n",
            head + "X-A: b\u{0}c\r\nContent-Length: 0\r\n\r\n", head + "Content-Length: 500\r\n\r\n{",
            head + "X-A: " + String(repeating: "b", count: 200_000) + "\r\n\r\n",
            head + String(repeating: "X-A: b\r\n", count: 20_000) + "\r\n",
            "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: h\r\n\r\n",
            String(repeating: "A", count: 100_000) + " / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "POST /v1/events HTTP/1.1\r\nContent-Length: 0\r\n\r\n", String(repeating: "\r\n", count: 5_000), "",
            "\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
        ]
        requests += ["-1", "+5", "0x10", "5 5", "99999999999999999999", "", "5, 50"].map {
            head + "Content-Length: \($0)\r\n\r\n" + hidden
        }
        requests += ["xchunked", "chunked, identity", "gzip", "chunked, chunked", "\u{B}chunked"].map {
            head + "Transfer-Encoding: \($0)\r\n\r\n0\r\n\r\n" + hidden
        }
        requests += ["zz", "-1", "FFFFFFFFFFFFFFFFF", "", "0x5", String(repeating: "1", count: 5_000)].map {
            chunked + "\($0)\r\n{}\r\n0\r\n\r\n"
        }
        requests += ["HTTP/0.9", "HTTP/9.9", "HTTP/1.1 x", "http/1.1", "ICY/1.0", ""].map {
            "GET /healthz \($0)\r\nHost: h\r\n\r\n"
        }
        requests += ["*", "h:80", "/\u{0}", "/%zz", "//", "/../../etc/passwd", "?", "#"].map {
            "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n"
        }
        return requests
    }
}
