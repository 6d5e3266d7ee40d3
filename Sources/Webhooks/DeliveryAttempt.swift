package import Delivery

/// What follows from an attempt to deliver a word.
package enum DeliveryAttempt: Equatable, Sendable {
    case delivered
    /// - Parameter after: the time until the next attempt.
    case failed(after: Duration, reason: String)
    /// Nobody tries again.
    case givenUp(reason: String)
    /// The receiver wants nothing more: 410. The word stays as it is.
    case unwanted

    /// The times between attempts. The last one is repeated for three days.
    static let pauses: [Duration] =
        [.seconds(5), .seconds(30), .seconds(120), .seconds(600), .seconds(3_600)]
        + Array(repeating: .seconds(6 * 3_600), count: 12)

    /// - Parameter attempt: how many attempts there were before this one.
    package init(_ outcome: DeliveryOutcome, attempt: Int) {
        let reason: String
        var pause = Duration.zero
        switch outcome {
        case .answered(200...299, _, _):
            self = .delivered
            return
        case .answered(410, _, _):
            self = .unwanted
            return
        case .answered(let status, let excerpt, let retryAfter):
            reason = "\(status)" + (excerpt.isEmpty ? "" : ": \(excerpt)")
            pause = retryAfter ?? .zero
        case .unanswered(let text):
            reason = text
        }
        self =
            Self.pauses.indices.contains(attempt)
            ? .failed(after: max(Self.pauses[attempt], pause), reason: reason) : .givenUp(reason: reason)
    }
}
