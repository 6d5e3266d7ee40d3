/// How long to wait before a batch is sent again: exponential backoff with full jitter, so that many senders do not come
/// back at once; at least what the server asks for by `Retry-After`.
public struct RetryPolicy: Sendable, Equatable {
    /// The bound of the first delay; doubled with every attempt.
    public var firstDelay: Duration
    /// The highest bound. `Retry-After` may exceed it.
    public var longestDelay: Duration

    public init(firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30)) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// - Parameter attempt: how many have failed, from 1.
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
