/// Segments of one month and kind, by their numbers: the older the smaller.
struct SegmentGroup: Equatable, Sendable {
    /// The first day, as PostgreSQL writes it.
    var month: String
    var spansMonths: Bool
    var segments: [(number: Int, events: Int)]

    static func == (first: SegmentGroup, second: SegmentGroup) -> Bool {
        first.month == second.month && first.spansMonths == second.spansMonths
            && first.segments.elementsEqual(second.segments) { $0 == $1 }
    }

    /// So many of about one size are put together.
    static let fanIn = 3
    /// The same while many events come in: to put the segments of a million together takes seconds of a processor. A report
    /// meets more segments then.
    static let fanInOfBusy = 48
    /// A segment with up to so many times the events of those after it is of about their size.
    private static let sizeRatio = 3

    var events: Int { segments.reduce(0) { $0 + $1.events } }

    /// Those to be put together: the newest, as long as each is not much larger than all after it. So every event is
    /// written anew once for each time that the whole has doubled.
    ///
    /// - Parameter fanIn: fewer are left as they are.
    func toMerge(fanIn: Int = fanIn) -> SegmentGroup? {
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
