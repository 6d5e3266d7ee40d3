import Testing

@testable import TributaryClient
import RandomTesting

@Suite("The retry policy")
struct RetryPolicyTests {
    @Test(arguments: 1...100)
    func staysWithinItsBounds(attempt: Int) {
        let policy = RetryPolicy(firstDelay: .milliseconds(500), longestDelay: .seconds(30))
        var random = SeededRandom(seed: UInt64(attempt))
        let delay = policy.delay(attempt: attempt, retryAfter: nil, using: &random)
        #expect(delay >= .zero)
        #expect(delay <= .seconds(30))
        if attempt <= 6 { #expect(delay <= .milliseconds(500) * (1 << (attempt - 1))) }
    }

    @Test func waitsAtLeastAsLongAsItIsAskedTo() {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            #expect(RetryPolicy().delay(attempt: 1, retryAfter: .seconds(9), using: &random) >= .seconds(9))
        }
    }

    @Test func spreadsSendersOut() {
        var random = SeededRandom(seed: 7)
        let delays = (0..<50).map { _ in RetryPolicy().delay(attempt: 8, retryAfter: nil, using: &random) }
        #expect(Set(delays).count == delays.count)
    }
}
