import Testing

@testable import Ingest

@Suite("Rate limits")
struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func takesABurstThenWaits() {
        var bucket = TokenBucket(RateLimit(requestsPerSecond: 2, burst: 3), at: start)
        for _ in 0..<3 { expectEqual(bucket.take(at: start), .admitted) }
        expectEqual(bucket.take(at: start), .limited(retryAfter: .milliseconds(500)))
        expectDifferent(bucket.take(at: start.advanced(by: .milliseconds(499))), .admitted)
        expectEqual(bucket.take(at: start.advanced(by: .milliseconds(501))), .admitted)
    }

    @Test func neverOwes() {
        var bucket = TokenBucket(RateLimit(requestsPerSecond: 1, burst: 3), at: start)
        expectEqual(bucket.take(4, at: start), .limited(retryAfter: .zero))
        expectEqual(bucket.take(3, at: start), .admitted)
        expectEqual(bucket.take(3, at: start), .limited(retryAfter: .seconds(3)))
    }

    /// Whoever is refused has lost nothing, and the first that has too few is named, each time.
    @Test func takesFromAllOrNone() {
        let limiter = RateLimiter<String>(RateLimit(requestsPerSecond: 1, burst: 3))
        #expect(limiter.takeAll([("a", 1), ("b", 3)], at: start) == nil)
        for _ in 0..<9 {
            let refused = limiter.takeAll([("a", 2), ("b", 1), ("c", 9)], at: start)
            #expect(refused?.position == 1 && refused?.retryAfter == .seconds(1))
        }
        #expect(limiter.takeAll([("a", 2), ("c", 3)], at: start) == nil)
    }

    @Test func neverHoldsMoreThanABurst() {
        var bucket = TokenBucket(RateLimit(requestsPerSecond: 10, burst: 2), at: start)
        let later = start.advanced(by: .seconds(3_600))
        expectEqual(bucket.isFull(at: later), true)
        expectEqual(bucket.take(at: later), .admitted)
        expectEqual(bucket.take(at: later), .admitted)
        expectDifferent(bucket.take(at: later), .admitted)
    }

    @Test func doesNotMindAClockThatStandsStill() {
        var bucket = TokenBucket(RateLimit(requestsPerSecond: 1, burst: 1), at: start)
        expectEqual(bucket.take(at: start.advanced(by: .seconds(-5))), .admitted)
        expectDifferent(bucket.take(at: start.advanced(by: .seconds(-9))), .admitted)
    }

    @Test func keepsKeysApartAndForgetsFullBuckets() {
        let limiter = RateLimiter<Principal>(RateLimit(requestsPerSecond: 1, burst: 1))
        for number in 0..<5_000 {
            let key = Principal(appNumber: Int32(number), appID: "a", scope: .write, keyPrefix: "k")
            #expect(limiter.take(for: key, at: start).decision == .admitted)
            if number == 0 { #expect(limiter.take(for: key, at: start).decision != .admitted) }
        }
        let key = Principal(appNumber: 0, appID: "a", scope: .write, keyPrefix: "k")
        #expect(limiter.take(for: key, at: start.advanced(by: .seconds(2))).decision == .admitted)
    }

    @Test(arguments: [(0.5, nil, 1), (10, nil, 10), (2.5, nil, 3), (10, 0, 1), (10, 50, 50)] as [(Double, Int?, Int)])
    func fillsInABurst(rate: Double, burst: Int?, expected: Int) {
        #expect(RateLimit(requestsPerSecond: rate, burst: burst).burst == expected)
    }
}
