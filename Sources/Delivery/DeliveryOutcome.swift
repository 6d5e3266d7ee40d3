/// What became of a request. Whoever sends decides which statuses are good.
package enum DeliveryOutcome: Equatable, Sendable {
    /// The receiver answered. Redirects are not followed: 3xx is such an answer.
    ///
    /// - Parameter excerpt: the beginning of the body, at most 200 printable characters.
    case answered(status: Int, excerpt: String)
    /// Nobody knows whether the receiver got the request.
    ///
    /// - Parameter reason: may be shown; it never has the URL's path.
    case unanswered(reason: String)
}
