/// Why the rest of a request will never come, although its head has. Thrown to whoever reads its body.
enum RequestInterruption: Error, Equatable, Sendable {
    /// The sender broke the framing: a bad chunk size, a bad trailer.
    case malformed
    /// The trailer is too large.
    case headersTooLarge
    /// The sender closed its side before the end.
    case truncated
    /// The sender took too long.
    case timedOut

    var problem: Problem {
        switch self {
        case .malformed: Problem(.malformedRequest, "The body is not framed as RFC 9112 asks.")
        case .headersTooLarge: Problem(.headersTooLarge, "The trailer fields are too large.")
        case .truncated: Problem(.incompleteBody, "The body ended before its announced end.")
        case .timedOut: Problem(.requestTimeout, "The body took too long to arrive.")
        }
    }
}
