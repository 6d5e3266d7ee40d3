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

        mutating func take(
            _ count: Int,
            for key: Key,
            _ limit: RateLimit,
            at now: ContinuousClock.Instant
        ) -> (decision: TokenBucket.Decision, bucket: TokenBucket) {
            var bucket = buckets[key] ?? TokenBucket(limit, at: now)
            let decision = bucket.take(count, at: now)
            buckets[key] = bucket
            if buckets.count > sweepAt {
                for (key, var bucket) in buckets where bucket.isFull(at: now) { buckets[key] = nil }
                sweepAt = max(1_024, buckets.count * 2)
            }
            return (decision, bucket)
        }
    }

    private let limit: RateLimit
    private let state = Mutex(State())

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    func take(_ count: Int = 1, for key: Key, at now: ContinuousClock.Instant) -> Outcome {
        state.withLock { state in
            let (decision, bucket) = state.take(count, for: key, limit, at: now)
            return Outcome(
                decision: decision,
                remaining: max(0, Int(bucket.tokens)),
                reset: bucket.timeUntil(Double(limit.burst))
            )
        }
    }

    /// Takes tokens of several keys in this order, or none at all.
    ///
    /// - Returns: the position of the first key that has too few, and how long until it has enough; nil if all were
    ///   taken.
    func takeAll(
        _ counts: [(key: Key, count: Int)],
        at now: ContinuousClock.Instant
    ) -> (position: Int, retryAfter: Duration)? {
        state.withLock { state in
            for (position, wanted) in counts.enumerated() {
                let decision = state.take(wanted.count, for: wanted.key, limit, at: now).decision
                guard case .limited(let wait) = decision else { continue }
                for taken in counts[..<position] { state.buckets[taken.key]?.giveBack(taken.count, at: now) }
                return (position, wait)
            }
            return nil
        }
    }

    /// Takes back what shall not count.
    func giveBack(_ count: Int = 1, for key: Key, at now: ContinuousClock.Instant) {
        state.withLock { $0.buckets[key]?.giveBack(count, at: now) }
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
