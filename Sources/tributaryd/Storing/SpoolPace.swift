import Events

/// How many events of a spool are stored at a time. A transaction that takes longer than its limit is never committed,
/// however often it is tried, so a failure makes the next one smaller. Each success lets it grow again.
struct SpoolPace {
    static let most = 5_000
    static let least = 50

    private(set) var events = most

    mutating func failed() { events = max(Self.least, events / 4) }
    mutating func succeeded() { events = min(Self.most, events * 2) }

    /// Takes what is stored next: all, or, if there is only one request and it has more events, the first of them. What
    /// was rejected of it comes with the last. If a later part fails, the first ones are stored again: each event once.
    func takeFirst(of rest: inout [Submission]) -> [Submission] {
        guard rest.count == 1, rest[0].events.count > events else {
            defer { rest = [] }
            return rest
        }
        var first = rest[0]
        first.events = Array(first.events.prefix(events))
        first.rejections = []
        rest[0].events.removeFirst(events)
        return [first]
    }
}
