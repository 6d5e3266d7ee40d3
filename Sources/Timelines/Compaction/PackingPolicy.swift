/// When to pack an app's events: at once while hardly any come in; in pieces with rests between them while some do, so that
/// these need not wait for a processor; and while many do, only in large pieces, so that storing is not slowed much.
struct PackingPolicy: Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// All that there is.
        case packAll
        /// At most ``pieceSize`` events, and then a rest.
        case packPiece
        /// Everything anew: the delta is most of the events.
        case rebuild

        var isPacking: Bool {
            switch self {
            case .packAll, .packPiece: true
            case .nothing, .rebuild: false
            }
        }
    }

    /// So many events that are not packed are too many while few come in, whatever else there is. With 100,000 reports over
    /// 10 million took 1.5 times as long as with none.
    static let deltaLimit = 30_000
    /// So many are worth packing at all.
    static let deltaMinimum = 10_000
    /// One in so many of an app's events may be in the delta.
    static let deltaShare = 50
    /// More events a second than that are some.
    static let someRate = 100
    /// More than that are many. Below, packing them takes no more than a tenth of one processor.
    static let busyRate = 5_000
    /// What is packed at once while some come in, and what is waited for while many do: a piece costs the same whatever its
    /// size, and then something an event.
    static let pieceSize = 150_000
    /// So many times as long as packing took there is none, while some come in: it takes a fifth of one processor then, a tenth
    /// of two.
    static let rest = 4
    /// With so many events in the delta there is no rest, whatever comes in: a report reads each by itself.
    static let urgentDelta = 1_000_000
    /// A delta with more events, if there are also more than twice those packed, is packed anew with all others.
    static let rebuildDelta = 1_500_000

    /// One in so many events' links may have changed since segments were written.
    static let changeShare = 50
    /// So many changes are worth it at all.
    static let changeMinimum = 2_000

    private var last: (delta: Int, packed: Int, at: ContinuousClock.Instant)?
    private var work: (end: ContinuousClock.Instant, time: Duration)?
    /// Whether many events came in before the last look, which is believed until two looks have told. Segments are put together
    /// then only where there are many, and none is brought up to date.
    private(set) var isBusy = true
    /// Whether somebody else had packed before the last look, who leaves segments to be put together.
    private var hasHelp = false
    /// Whether there are segments that were not put together because many events came in.
    private var hasLeftSegments = false

    /// What to do, by a look at how many events are not packed and how many are.
    mutating func step(delta: Int, packed: Int, at now: ContinuousClock.Instant) -> Step {
        defer { last = (delta, packed, now) }
        guard let last else { return .nothing }
        // What somebody else has packed since has come in, too.
        hasHelp = packed > last.packed
        let growth = Double(delta - last.delta + max(0, packed - last.packed))
        let seconds = (now - last.at) / .seconds(1)
        isBusy = growth > Double(Self.busyRate) * seconds
        let limit = min(Self.deltaLimit, max(Self.deltaMinimum, packed / Self.deltaShare))
        if isBusy {
            let rest = delta >= Self.urgentDelta ? 0 : Self.rest
            return delta >= Self.pieceSize && isRested(rest, at: now) ? .packPiece : .nothing
        }
        if growth > Double(Self.someRate) * seconds {
            return delta >= limit && isRested(Self.rest, at: now) ? .packPiece : .nothing
        }
        if delta > Self.rebuildDelta, delta > 2 * packed { return .rebuild }
        return delta >= limit ? .packAll : .nothing
    }

    /// How many segments of about one size to put together, by the last look; nil where there are no new ones.
    mutating func fanIn(afterPacking events: Int) -> Int? {
        let hasNew = events > 0 || hasHelp
        guard hasNew || hasLeftSegments && !isBusy else { return nil }
        hasLeftSegments = isBusy
        return isBusy ? SegmentGroup.fanInOfBusy : SegmentGroup.fanIn
    }

    /// Whether so many links and stories have changed that segments are to be brought up to date. Not to be asked while many
    /// events come in: all segments are written anew then, and all changes held in memory.
    func isToApply(_ changes: Int, packed: Int) -> Bool {
        changes >= max(Self.changeMinimum, packed / Self.changeShare)
    }

    /// To be told what was done after a look.
    ///
    /// - Parameters:
    ///   - rest: what the delta had at `start` and was not packed.
    mutating func worked(leaving rest: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        if let last { self.last = (rest, last.packed + max(0, last.delta - rest), start) }
        work = (end, end - start)
    }

    private func isRested(_ factor: Int, at now: ContinuousClock.Instant) -> Bool {
        guard let work else { return true }
        return now >= work.end.advanced(by: work.time * factor)
    }
}
