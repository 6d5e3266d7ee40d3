import NIOHTTP1

extension ConnectionState.Head {
    init(_ head: HTTPRequestHead, limits: IngestLimits) {
        let headers = head.headers
        if headers.contains(name: "transfer-encoding") {
            body = .chunked
        } else {
            body = .bytes(headers.first(name: "content-length").flatMap { Int($0) } ?? 0)
        }
        expectsContinue = headers.first(name: "expect")?.lowercased() == "100-continue"
        // After CONNECT, the parser stops.
        isLast = !head.isKeepAlive || head.version.minor == 0 || head.method == .CONNECT
        let codings = headers[canonicalForm: "transfer-encoding"]
        if !codings.isEmpty, codings.count > 1 || codings[0].lowercased() != "chunked" {
            // RFC 9112 section 6.1: a proxy that reads another coding differently would see another end of the request.
            problem = Problem(.malformedRequest, "Transfer-Encoding must be chunked.", field: "Transfer-Encoding")
        } else if head.uri.utf8.count > limits.targetBytes {
            problem = Problem(.targetTooLong, "The URL is longer than \(limits.targetBytes) bytes; shorten it.")
        } else if head.version.minor > 0, headers[canonicalForm: "host"].count != 1 {
            // RFC 9112 section 3.2.
            problem = Problem(.malformedRequest, "The request must have exactly one Host header.", field: "Host")
        }
    }
}
