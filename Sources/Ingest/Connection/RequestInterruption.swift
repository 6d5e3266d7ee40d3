/// Why the rest of a request will not come after its head. The reader of the body gets it as an error.
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
        case .malformed: Problem(.malformedRequest, "The chunks of the body are not valid (RFC 9112).")
        case .headersTooLarge: Problem(.headersTooLarge, "The trailer fields are too large; send fewer.")
        case .truncated: Problem(.incompleteBody, "The body ended too early; send the whole request again.")
        case .timedOut: Problem(.requestTimeout, "The body took too long to arrive; send the request again.")
        }
    }
}
