package import Events
import JSONReading

/// The answer to a refused request: an RFC 9457 problem document. It contains no value that the sender sent.
package struct Problem: Error, Equatable, Sendable {
    package var code: ProblemCode
    /// A sentence for the sender about this occurrence.
    package var detail: String
    /// The field, parameter or header at fault, if it is known.
    package var field: String?
    /// The possible values of the field.
    package var allowed: [String] = []
    /// When to try again: becomes `Retry-After`.
    package var retryAfter: Duration?
    /// The methods that the path accepts: becomes `Allow`.
    package var allowedMethods: [String] = []
    /// Whether the path accepts `Basic` authentication beside `Bearer`.
    package var takesBasic = false
    /// What every answer to the holder of the key has: `RateLimit`, `Access-Control-Allow-Origin` and the like.
    package var callerFields: [HeaderField] = []
    /// The rejected events, if the batch has no valid event.
    package var rejections: [Rejection] = []
    /// What was wrong with links.
    var linkRejections: [LinkRejection] = []
    /// The state of a daemon that is not ready.
    package var readiness: Readiness?

    package init(_ code: ProblemCode, _ detail: String, field: String? = nil, retryAfter: Duration? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    /// The problem document.
    package var document: String {
        var json = JSONWriter()
        json.object {
            $0.member("type", "urn:tributary:problem:\(code.rawValue)")
            $0.member("title", code.title)
            $0.member("status", code.status)
            $0.member("detail", detail)
            $0.member("code", code.rawValue)
            if let field { $0.member("field", field) }
            if !allowed.isEmpty { $0.member("allowed", allowed) }
            if code == .noValidEvent { $0.member("rejected", rejections) }
            if !linkRejections.isEmpty { $0.member("rejected", linkRejections) }
            if let readiness {
                $0.member("reasons", readiness.reasons)
                $0.member("details", readiness.details)
            }
        }
        return json.text
    }

    /// Header fields beside `Content-Type` and `Content-Length`, in the order in which they are sent.
    package var headerFields: [HeaderField] {
        var fields: [HeaderField] = []
        switch code {
        case .missingKey:
            fields.append(HeaderField("WWW-Authenticate", #"Bearer realm="tributary""#))
        case .unknownKey:
            fields.append(HeaderField("WWW-Authenticate", #"Bearer realm="tributary", error="invalid_token""#))
        case .wrongKeyKind:
            fields.append(HeaderField("WWW-Authenticate", #"Bearer realm="tributary", error="insufficient_scope""#))
        case .unsupportedEncoding:
            fields.append(HeaderField("Accept-Encoding", "gzip, identity"))
        default:
            break
        }
        if takesBasic {
            fields.append(HeaderField("WWW-Authenticate", #"Basic realm="tributary", charset="UTF-8""#))
        }
        if !allowedMethods.isEmpty { fields.append(HeaderField("Allow", allowedMethods.joined(separator: ", "))) }
        if let retryAfter { fields.append(HeaderField("Retry-After", String(retryAfter.wholeSecondsRoundedUp))) }
        return fields + callerFields
    }
}

extension Duration {
    /// At least 1: with a `Retry-After` of 0, all senders would try again immediately.
    var wholeSecondsRoundedUp: Int64 {
        max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0))
    }
}
