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
        switch outcome {
        case .answered(200...299, _):
            self = .delivered
            return
        case .answered(410, _):
            self = .unwanted
            return
        case .answered(let status, let excerpt):
            reason = "\(status)" + (excerpt.isEmpty ? "" : ": \(excerpt)")
        case .unanswered(let text):
            reason = text
        }
        self =
            attempt < Self.pauses.count
            ? .failed(after: Self.pauses[attempt], reason: reason) : .givenUp(reason: reason)
    }
}
