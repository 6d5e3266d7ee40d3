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
        // After CONNECT or an upgrade, the parser stops.
        isLast =
            !head.isKeepAlive || head.version.minor == 0 || head.method == .CONNECT || headers.contains(name: "upgrade")
        let codings = headers[canonicalForm: "transfer-encoding"]
        if !codings.isEmpty, codings.count > 1 || codings[0].lowercased() != "chunked" {
            // RFC 9112 section 6.1: whoever reads another coding otherwise sees other bounds of the request.
            problem = Problem(.malformedRequest, "The only transfer coding is chunked.", field: "Transfer-Encoding")
        } else if head.uri.utf8.count > limits.targetBytes {
            problem = Problem(.targetTooLong, "The request's target is longer than \(limits.targetBytes) bytes.")
        } else if head.version.minor > 0, headers[canonicalForm: "host"].count != 1 {
            // RFC 9112 section 3.2.
            problem = Problem(.malformedRequest, "A request names its host exactly once.", field: "Host")
        }
    }
}
