/// How many events of a spool are stored at a time. A transaction that takes longer than its limit is never committed,
/// however often it is tried, so a failure makes the next one smaller. Each success lets it grow again.
struct SpoolPace {
    static let most = 5_000
    static let least = 50

    private(set) var events = most

    mutating func failed() { events = max(Self.least, events / 4) }
    mutating func succeeded() { events = min(Self.most, events * 2) }
}
