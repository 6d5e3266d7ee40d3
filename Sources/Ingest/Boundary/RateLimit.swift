/// A token bucket for each key: `burst` requests without a wait, refilled with `requestsPerSecond`.
package struct RateLimit: Equatable, Sendable {
    /// More than 0.
    package var requestsPerSecond: Double
    /// At least 1.
    package var burst: Int

    /// - Parameter burst: default: the requests of one second, at least 1.
    package init(requestsPerSecond: Double, burst: Int? = nil) {
        self.requestsPerSecond = max(requestsPerSecond, 0.001)
        self.burst = max(burst ?? Int(requestsPerSecond.rounded(.up)), 1)
    }
}
