/// How long to wait before a batch is sent again: exponential backoff with full jitter, so that many senders do not
/// come back at the same time. A `Retry-After` of the server is added.
public struct RetryPolicy: Sendable, Equatable {
    /// The upper bound of the first delay. It doubles with every attempt.
    public var firstDelay: Duration
    /// The highest upper bound of a delay, without `Retry-After`.
    public var longestDelay: Duration

    public init(firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30)) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// - Parameter attempt: how many attempts have failed, from 1.
    func delay(
        attempt: Int,
        retryAfter: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = min(max(attempt, 1) - 1, 20)
        let bound = min(firstDelay * (1 << doublings), longestDelay)
        let jitter = bound * Double.random(in: 0...1, using: &generator)
        return (retryAfter ?? .zero) + jitter
    }

    func delay(attempt: Int, retryAfter: Duration?) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(attempt: attempt, retryAfter: retryAfter, using: &generator)
    }
}
