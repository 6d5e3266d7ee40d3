/// The segments of one month and kind, ordered by number: older segments have smaller numbers.
struct SegmentGroup: Equatable, Sendable {
    /// The first day of the month, as PostgreSQL writes it.
    var month: String
    var spansMonths: Bool
    var segments: [(number: Int, events: Int)]

    static func == (first: SegmentGroup, second: SegmentGroup) -> Bool {
        first.month == second.month && first.spansMonths == second.spansMonths
            && first.segments.elementsEqual(second.segments) { $0 == $1 }
    }

    /// This many segments of about one size are compacted.
    static let fanIn = 3
    /// The same while many events arrive: compacting segments of a million events takes seconds of a processor. Until
    /// then reports read more segments.
    static let busyFanIn = 48
    /// A segment is of about the same size as the newer ones if it has at most this many times their events.
    private static let sizeRatio = 3

    var events: Int { segments.reduce(0) { $0 + $1.events } }

    /// The segments to compact: the newest ones, as long as each is not much larger than all newer ones together. So an
    /// event is written again once each time the whole has doubled.
    ///
    /// - Parameter fanIn: nil is returned for fewer segments.
    func toCompact(fanIn: Int = fanIn) -> SegmentGroup? {
        var merged: [(number: Int, events: Int)] = []
        var events = 0
        for segment in segments.reversed() {
            guard merged.isEmpty || segment.events <= events * Self.sizeRatio else { break }
            merged.append(segment)
            events += segment.events
        }
        guard merged.count >= fanIn else { return nil }
        return SegmentGroup(month: month, spansMonths: spansMonths, segments: merged.reversed())
    }
}
