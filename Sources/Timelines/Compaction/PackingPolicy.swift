/// When to pack an app's events (docs/architecture.md, *When the delta is packed*).
///
/// While hardly any events arrive, the whole delta is packed. While some arrive, it is packed in pieces with pauses
/// between them, so that ingestion need not wait for a processor. While many arrive, only large pieces are packed, so
/// that ingestion is hardly slowed.
struct PackingPolicy: Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// Pack the whole delta.
        case packAll
        /// Pack at most ``pieceSize`` events, then pause.
        case packPiece
        /// Pack all events again: the delta has most of them.
        case rebuild

        var isPacking: Bool {
            switch self {
            case .packAll, .packPiece: true
            case .nothing, .rebuild: false
            }
        }
    }

    /// While few events arrive, a delta of this many events is packed, however many are packed. A delta of 100,000 made
    /// reports over 10 million events 1.5 times slower.
    static let deltaLimit = 30_000
    /// A smaller delta is not worth packing.
    static let deltaMinimum = 10_000
    /// While few events arrive, the delta is packed if it has more than one in this many of the packed events.
    static let deltaShare = 50
    /// Above this many events a second, some arrive.
    static let someRate = 100
    /// Above this many events a second, many arrive. Below it, packing takes at most a tenth of one processor.
    static let busyRate = 5_000
    /// How many events are packed at a time while some arrive, and the smallest delta that is packed while many arrive.
    /// A piece has a fixed cost, and a cost for each event.
    static let pieceSize = 150_000
    /// While events arrive, the pause after packing lasts this many times as long as the packing. So packing takes a
    /// fifth of one processor.
    static let rest = 4
    /// From this many events in the delta on, there is no pause while many arrive: a report reads each of them by
    /// itself.
    static let urgentDelta = 1_000_000
    /// All timelines are rebuilt if the delta has more events than this, and more than twice the packed ones.
    static let rebuildDelta = 1_500_000

    /// The segments are brought up to date when the changed links and stories are one in this many of the packed
    /// events.
    static let changeShare = 50
    /// Fewer changes are not worth it.
    static let changeMinimum = 2_000

    private var last: (delta: Int, packed: Int, at: ContinuousClock.Instant)?
    private var work: (end: ContinuousClock.Instant, time: Duration)?
    /// Whether many events arrived before the last count. True until two counts have shown the rate. While true,
    /// segments are compacted only if there are many, and changes are not applied to them.
    private(set) var isBusy = true
    /// Whether another process had packed before the last count. Such a process leaves compaction to the upkeep.
    private var anotherHasPacked = false
    /// Whether some segments were not compacted because many events arrived.
    private var hasUncompactedSegments = false

    /// What to do next, given the sizes of the delta and of the packed events at `now`.
    mutating func step(delta: Int, packed: Int, at now: ContinuousClock.Instant) -> Step {
        defer { last = (delta, packed, now) }
        guard let last else { return .nothing }
        // Events that another process packed have arrived since the last count, too.
        anotherHasPacked = packed > last.packed
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

    /// How many segments of about one size make a compaction worthwhile; nil if there are no new segments.
    mutating func fanIn(afterPacking events: Int) -> Int? {
        let hasNew = events > 0 || anotherHasPacked
        guard hasNew || hasUncompactedSegments && !isBusy else { return nil }
        hasUncompactedSegments = isBusy
        return isBusy ? SegmentGroup.busyFanIn : SegmentGroup.fanIn
    }

    /// Whether enough links and stories have changed to bring all segments up to date. Callers check `isBusy` first,
    /// because this writes all segments again and holds all changes in memory.
    func isWorthApplying(_ changes: Int, packed: Int) -> Bool {
        changes >= max(Self.changeMinimum, packed / Self.changeShare)
    }

    /// Records the work that was done after a count.
    ///
    /// - Parameters:
    ///   - rest: how many events of the delta at `start` were not packed.
    mutating func worked(leaving rest: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        if let last { self.last = (rest, last.packed + max(0, last.delta - rest), start) }
        work = (end, end - start)
    }

    private func isRested(_ factor: Int, at now: ContinuousClock.Instant) -> Bool {
        guard let work else { return true }
        return now >= work.end.advanced(by: work.time * factor)
    }
}
