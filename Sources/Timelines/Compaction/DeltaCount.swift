import Postgres
import Storage

/// How many events of an app are packed, and how many are in the delta. A count continues the one before, because
/// counting a long delta takes time.
struct DeltaCount: Sendable {
    /// Some whole transactions of the delta.
    struct Piece: Equatable, Sendable {
        /// All transactions of the piece have lower numbers.
        var end: Int64
        var events: Int
    }

    /// The approximate size of a piece in events. With the rest of its last transaction, a piece mostly fills at most
    /// two segments. Reading a piece costs some 15 ms beside its events.
    private static let pieceSize = BucketRanges.eventsAtOnce * 2 - 2_000

    /// How many events are packed.
    private(set) var packed = 0
    /// The watermark: all events of transactions before it are packed. -1 if it is not known.
    private(set) var packedThrough: Int64 = -1
    /// All events of transactions before it are counted.
    private(set) var countedThrough: Int64 = -1
    private var pieces: [Piece] = []

    /// How many events are in the delta.
    var events: Int { pieces.reduce(0) { $0 + $1.events } }

    /// Counts the events committed since the last count.
    ///
    /// - Parameter pieceSize: the approximate number of events in a piece.
    /// - Returns: this count with the new pieces added.
    func counted(
        of app: App,
        pieceSize: Int = pieceSize,
        on connection: isolated PostgresConnection
    ) throws -> DeltaCount {
        let rows = try connection.transaction {
            try ScanPlanning.byLookup.apply(on: connection)
            return try connection.query(
                TimelineSQL.selectDelta,
                [
                    .int(Int64(app.number)), .int(packedThrough), .int(countedThrough),
                    .int(Int64(max(1, pieceSize))),
                ]
            )
        }
        var count = self
        count.packed = try rows[0].int(1)
        let pieces = try rows.compactMap { row in
            try row.optionalInt64(3).map { Piece(end: $0, events: try row.int(4)) }
        }
        count.add(pieces, before: try rows[0].int64(2), packedThrough: try rows[0].int64(0))
        return count
    }

    /// Adds pieces, or starts again if the watermark has moved because another process packed or rebuilt the timelines.
    ///
    /// - Parameters:
    ///   - pieces: the part of the delta that was not counted yet, of transactions before `horizon`, in order. If the
    ///     watermark has moved, the whole delta.
    mutating func add(_ pieces: [Piece], before horizon: Int64, packedThrough: Int64) {
        if packedThrough != self.packedThrough {
            self.packedThrough = packedThrough
            self.pieces = []
        }
        countedThrough = max(horizon, packedThrough)
        self.pieces += pieces
        if !pieces.isEmpty { self.pieces[self.pieces.count - 1].end = horizon }
    }

    /// The transactions before which to pack next, one for each piece. Takes at least one piece, and more while they
    /// have at most `limit` events in all. Empty if the delta is empty.
    func ends(ofAtMost limit: Int) -> [Int64] {
        var (ends, count): ([Int64], Int) = ([], 0)
        for piece in pieces {
            count += piece.events
            if count > limit, !ends.isEmpty { break }
            ends.append(piece.end)
        }
        return ends
    }

    /// Records that `events` events were packed, and that the watermark is now `end`. If that is not the end of a
    /// piece, another process has packed, and the next count starts again.
    mutating func pack(_ events: Int, through end: Int64) {
        guard pieces.contains(where: { $0.end == end }) else {
            self = DeltaCount()
            return
        }
        packed += events
        packedThrough = end
        pieces.removeAll { $0.end <= end }
    }
}
