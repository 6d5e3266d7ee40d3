import Postgres
import Storage

/// How many events of an app are packed and how many are not: these are counted once each, from one look to the next, since
/// a delta may be long.
struct DeltaCount: Sendable {
    /// Of whole transactions.
    struct Piece: Equatable, Sendable {
        /// All of its transactions have lower numbers.
        var end: Int64
        var events: Int
    }

    /// About so many events are a piece: with those of its last transaction mostly no more than two segments. To read a piece
    /// costs some 15 ms beside its events.
    private static let pieceSize = TimelinePacker.defaultEventsAtOnce * 2 - 2_000

    /// Events that are packed.
    private(set) var packed = 0
    /// The transaction before which all are packed; -1: not known.
    private(set) var packedThrough: Int64 = -1
    /// The transaction before which all are counted.
    private(set) var countedThrough: Int64 = -1
    private var pieces: [Piece] = []

    /// Events that are not packed.
    var events: Int { pieces.reduce(0) { $0 + $1.events } }

    /// Looks at what has come in since the last time.
    ///
    /// - Parameter pieceSize: about so many events are a piece.
    /// - Returns: this with what was found.
    func counted(
        of app: App,
        pieceSize: Int = pieceSize,
        on connection: isolated PostgresConnection
    ) throws -> DeltaCount {
        let rows = try connection.transaction {
            try ScanPlanning.byLookup.apply(on: connection)
            return try connection.query(
                StoredSQL.selectDelta,
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

    /// - Parameters:
    ///   - pieces: what is not counted yet, of transactions before `horizon`, in their order; all of the delta if
    ///     `packedThrough` is another than before, because somebody else has packed or all was packed anew.
    mutating func add(_ pieces: [Piece], before horizon: Int64, packedThrough: Int64) {
        if packedThrough != self.packedThrough {
            self.packedThrough = packedThrough
            self.pieces = []
        }
        countedThrough = max(horizon, packedThrough)
        self.pieces += pieces
        if !pieces.isEmpty { self.pieces[self.pieces.count - 1].end = horizon }
    }

    /// The transactions before which to pack next, one for each piece: at most `limit` events in all, at least one piece;
    /// none where all is packed.
    func ends(ofAtMost limit: Int) -> [Int64] {
        var (ends, count): ([Int64], Int) = ([], 0)
        for piece in pieces {
            count += piece.events
            if count > limit, !ends.isEmpty { break }
            ends.append(piece.end)
        }
        return ends
    }

    /// To be told that some events were packed, and before which transaction all are. If that is not the end of a piece,
    /// somebody else has packed, and all is counted again.
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
