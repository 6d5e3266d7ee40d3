/// What became of a request. Whoever sends decides which statuses are good.
package enum DeliveryOutcome: Equatable, Sendable {
    /// The receiver answered. Redirects are not followed: 3xx is such an answer.
    ///
    /// - Parameters:
    ///   - excerpt: the beginning of the body, at most 200 printable characters.
    ///   - retryAfter: how long the receiver wants to be left alone, at most an hour.
    case answered(status: Int, excerpt: String, retryAfter: Duration? = nil)
    /// Nobody knows whether the receiver got the request.
    ///
    /// - Parameter reason: may be shown; it never has the URL's path.
    case unanswered(reason: String)
}
