import NIOHTTP1
import Redirects

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

extension HTTPRequestHead {
    /// Whether the target is no URL. Such requests are refused once it is known who asks.
    var hasUnreadableTarget: Bool { uri.isEmpty }

    /// Gives a target in absolute form the usual one. Its host goes before `Host` (RFC 9112 section 3.2.2).
    mutating func useOriginForm() {
        guard uri.utf8.first != UInt8(ascii: "/") else { return }
        let target = RequestTarget(uri)
        guard let authority = target.authority else { return }
        guard LinkHost.named(by: authority) != nil else {
            uri = ""
            return
        }
        headers.replaceOrAdd(name: "host", value: authority)
        uri = target.path + (target.query.map { "?" + $0 } ?? "")
    }
}
