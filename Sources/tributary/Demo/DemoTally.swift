/// The sums of what was sent and what was answered.
struct DemoTally: Sendable {
    var requests = 0
    var events = 0
    /// Of request bodies, as sent.
    var bytes = 0
    /// Requests that were sent again, because the daemon asked to wait or did not answer.
    var retries = 0
    var accepted = 0
    var duplicates = 0
    /// By code.
    var rejected: [String: Int] = [:]

    var rejectedCount: Int { rejected.values.reduce(0, +) }

    mutating func add(_ answer: DemoAnswer) {
        accepted += answer.accepted ?? 0
        duplicates += answer.duplicates ?? 0
        for event in answer.rejected ?? [] { rejected[event.code, default: 0] += 1 }
    }

    mutating func add(_ other: DemoTally) {
        requests += other.requests
        events += other.events
        bytes += other.bytes
        retries += other.retries
        accepted += other.accepted
        duplicates += other.duplicates
        rejected.merge(other.rejected, uniquingKeysWith: +)
    }
}
