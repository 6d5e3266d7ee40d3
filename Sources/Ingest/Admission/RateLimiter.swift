import Synchronization

/// A ``TokenBucket`` for each key that is in use.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// The result of a request, and the state of its key's bucket.
    struct Outcome: Equatable, Sendable {
        var decision: TokenBucket.Decision
        /// Whole requests that are left.
        var remaining: Int
        /// The time until the bucket is full again.
        var reset: Duration
    }

    private struct State {
        var buckets: [Key: TokenBucket] = [:]
        var sweepAt = 1_024
    }

    private let limit: RateLimit
    private let state = Mutex(State())

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    func take(_ count: Int = 1, for key: Key, at now: ContinuousClock.Instant) -> Outcome {
        state.withLock { state in
            var bucket = state.buckets[key] ?? TokenBucket(limit, at: now)
            let decision = bucket.take(count, at: now)
            state.buckets[key] = bucket
            if state.buckets.count > state.sweepAt {
                for (key, var bucket) in state.buckets where bucket.isFull(at: now) {
                    state.buckets[key] = nil
                }
                state.sweepAt = max(1_024, state.buckets.count * 2)
            }
            return Outcome(
                decision: decision,
                remaining: max(0, Int(bucket.tokens)),
                reset: bucket.timeUntil(Double(limit.burst))
            )
        }
    }

    /// Takes a request back that shall not count.
    func giveBack(for key: Key, at now: ContinuousClock.Instant) {
        state.withLock { $0.buckets[key]?.giveBack(at: now) }
    }

    /// The fields of draft-ietf-httpapi-ratelimit-headers. The quota is the burst, the window is the time that refills
    /// it.
    func headerFields(_ outcome: Outcome) -> [HeaderField] {
        let window = Duration.seconds(Double(limit.burst) / limit.requestsPerSecond).wholeSecondsRoundedUp
        return [
            HeaderField("RateLimit-Policy", "\"key\";q=\(limit.burst);w=\(window)"),
            HeaderField("RateLimit", "\"key\";r=\(outcome.remaining);t=\(outcome.reset.wholeSecondsRoundedUp)"),
        ]
    }
}
