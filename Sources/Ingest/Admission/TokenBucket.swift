/// A token bucket: full at first, refilled evenly. A request takes one token or several, at most a burst. It never
/// owes.
struct TokenBucket: Sendable {
    enum Decision: Equatable, Sendable {
        case admitted
        case limited(retryAfter: Duration)
    }

    let limit: RateLimit
    private(set) var tokens: Double
    private var filledAt: ContinuousClock.Instant

    init(_ limit: RateLimit, at now: ContinuousClock.Instant) {
        self.limit = limit
        tokens = Double(limit.burst)
        filledAt = now
    }

    mutating func take(_ count: Int = 1, at now: ContinuousClock.Instant) -> Decision {
        refill(at: now)
        guard tokens >= Double(count) else {
            return .limited(retryAfter: timeUntil(Double(min(count, limit.burst))))
        }
        tokens -= Double(count)
        return .admitted
    }

    mutating func giveBack(_ count: Int = 1, at now: ContinuousClock.Instant) {
        refill(at: now)
        tokens = min(Double(limit.burst), tokens + Double(count))
    }

    /// Whether the bucket is full, so that it can be forgotten.
    mutating func isFull(at now: ContinuousClock.Instant) -> Bool {
        refill(at: now)
        return tokens >= Double(limit.burst)
    }

    /// The time until the bucket has `count` tokens, from the last refill on.
    func timeUntil(_ count: Double) -> Duration {
        .seconds(max(0, count - tokens) / limit.requestsPerSecond)
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        guard now > filledAt else { return }
        let elapsed = filledAt.duration(to: now) / .seconds(1)
        tokens = min(Double(limit.burst), tokens + elapsed * limit.requestsPerSecond)
        filledAt = now
    }
}
