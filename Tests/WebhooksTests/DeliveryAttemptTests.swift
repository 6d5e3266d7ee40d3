import Delivery
import Testing

@testable import Webhooks

@Suite("What follows from an attempt")
struct DeliveryAttemptTests {
    @Test(arguments: [
        (DeliveryOutcome.answered(status: 200, excerpt: "x"), DeliveryAttempt.delivered),
        (.answered(status: 204, excerpt: ""), .delivered), (.answered(status: 410, excerpt: ""), .unwanted),
        (.answered(status: 302, excerpt: ""), .failed(after: .seconds(5), reason: "302")),
        (.answered(status: 500, excerpt: "no"), .failed(after: .seconds(5), reason: "500: no")),
        (.answered(status: 429, excerpt: "", retryAfter: .seconds(120)), .failed(after: .seconds(120), reason: "429")),
        (.answered(status: 503, excerpt: "", retryAfter: .seconds(1)), .failed(after: .seconds(5), reason: "503")),
        (.unanswered(reason: "no answer within 10 s"), .failed(after: .seconds(5), reason: "no answer within 10 s")),
    ])
    func dependsOnTheAnswer(outcome: DeliveryOutcome, attempt: DeliveryAttempt) {
        #expect(DeliveryAttempt(outcome, attempt: 0) == attempt)
    }

    /// After 5 s, 30 s, 2 min, 10 min, 1 h, then each 6 h for 3 days.
    @Test func waitsLongerAndThenGivesUp() {
        var pauses: [Int64] = []
        var attempt = 0
        while case .failed(let pause, _) = DeliveryAttempt(.unanswered(reason: ""), attempt: attempt) {
            pauses.append(pause.components.seconds)
            attempt += 1
        }
        #expect(pauses == [5, 30, 120, 600, 3_600] + Array(repeating: 21_600, count: 12))
        #expect(DeliveryAttempt(.unanswered(reason: "x"), attempt: attempt) == .givenUp(reason: "x"))
        #expect(DeliveryAttempt(.answered(status: 200, excerpt: ""), attempt: attempt) == .delivered)
    }
}
