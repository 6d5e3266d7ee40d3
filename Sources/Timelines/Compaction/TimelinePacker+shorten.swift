import Postgres
import Storage

extension TimelinePacker {
    /// The longest delta for a fold that must use little memory: it holds the links of the delta, and looks up each of
    /// them.
    static let shortDelta = PackingPolicy.deltaLimit

    /// Packs a long delta for a fold that is about to read it and must use little memory. If nothing of the app is
    /// packed, this does nothing: PostgreSQL then returns its events in the order of people, and no delta is held.
    ///
    /// Packs in pieces, and leaves events that arrive in the meantime to ``TimelineUpkeep``, as well as compaction. If
    /// another process works on the app's timelines for long, the delta stays as it is.
    ///
    /// - Parameter limit: a delta of at most this many events is left alone.
    package func shortenDelta(to limit: Int = shortDelta) async throws {
        do {
            var delta = try await counted(DeltaCount())
            // The number of rounds is bounded by today's delta, whatever arrives; one more, because most pieces are a
            // little smaller. The loop ends early if the timelines are forgotten.
            for _ in 0...delta.events / PackingPolicy.pieceSize + 1 where delta.packed > 0 && delta.events > limit {
                let packed = try await pack(
                    before: delta.ends(ofAtMost: PackingPolicy.pieceSize),
                    countedFrom: delta.packedThrough
                )
                delta.pack(packed.events, through: packed.through)
                delta = try await counted(delta)
            }
        } catch let error as PostgresError where error.isRetryable || error.isStatementTimeout {
            return
        }
    }

    /// How many events are in the app's delta. A report reads these one by one.
    package func unpackedEvents() async throws -> Int { try await counted(DeltaCount()).events }

    /// - Returns: a count that includes the events committed since.
    func counted(_ delta: DeltaCount) async throws -> DeltaCount {
        try await pool.withConnection { try delta.counted(of: app, on: $0) }
    }
}
