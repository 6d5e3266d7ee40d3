/// When to pack an app's events: at once while few come in, and in large pieces with rests between them while many do, so
/// that storing is not slowed much.
struct PackingPace: Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// All that there is.
        case packAll
        /// A piece of ``pieceOfBusy`` events, and segments are put together only where there are many.
        case packPiece
        /// Everything anew: the tail is most of the events.
        case rebuild
    }

    /// So many events that are not packed are too many while few come in, whatever else there is.
    static let tailLimit = 100_000
    /// So many are worth packing at all.
    static let tailMinimum = 10_000
    /// One in so many of an app's events may be in the tail.
    static let tailShare = 50
    /// More events a second than that are many. Below, packing them takes no more than a tenth of one processor.
    static let busyRate = 5_000
    /// What is packed at once while many come in: a piece costs the same whatever its size, and then something an event.
    static let pieceOfBusy = 200_000
    /// So many times as long as packing took there is none, while many come in.
    static let restFactor = 9
    /// So many events in the tail, and there is no rest: reports hold it in memory.
    static let urgentTail = 1_000_000
    /// A tail with more events, if there are also more than twice those packed, is packed anew with all others.
    static let rebuildTail = 1_500_000

    private var last: (tail: Int, at: ContinuousClock.Instant)?
    private var restsUntil: ContinuousClock.Instant?

    /// What to do, by a look at how many events are not packed and how many are.
    mutating func look(tail: Int, packed: Int, at now: ContinuousClock.Instant) -> Step {
        defer { last = (tail, now) }
        // Who has just begun does not know yet how many come in.
        guard let last else { return .nothing }
        let seconds = (now - last.at) / .seconds(1)
        guard Double(tail - last.tail) > Double(Self.busyRate) * seconds else {
            if tail > Self.rebuildTail, tail > 2 * packed { return .rebuild }
            let limit = min(Self.tailLimit, max(Self.tailMinimum, packed / Self.tailShare))
            return tail >= limit ? .packAll : .nothing
        }
        if tail >= Self.urgentTail { return .packPiece }
        let isRested = restsUntil.map { now >= $0 } ?? true
        return isRested && tail >= Self.pieceOfBusy ? .packPiece : .nothing
    }

    /// To be told what was done after a look.
    ///
    /// - Parameters:
    ///   - rest: what the tail had at `start` and was not packed.
    mutating func worked(leaving rest: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        last = (rest, start)
        restsUntil = end.advanced(by: (end - start) * Self.restFactor)
    }
}
