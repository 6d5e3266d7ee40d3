import Postgres
import Storage

extension TimelinePacker {
    /// So many events may be in the delta of a fold that must take little memory: their links are held, and each is looked up.
    static let shortDelta = PackingPolicy.deltaLimit

    /// Packs a long delta, for a fold that is about to read it and must not take much memory. Of an app of which nothing is
    /// packed there is no delta to hold: its events come from PostgreSQL in the order of people.
    ///
    /// In pieces, as everybody packs; those that come in meanwhile are left, and the segments are for ``TimelineUpkeep`` to
    /// put together. Where somebody else is at work on the app's timelines for long, the delta stays as it is.
    ///
    /// - Parameter limit: a shorter delta is left alone.
    package func shortenDelta(to limit: Int = shortDelta) async throws {
        do {
            var delta = try await counted(DeltaCount())
            // As many pieces as there are now, whatever comes in; one more, since most are a little smaller. No more once somebody
            // makes the timelines be forgotten.
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

    /// How many events of the app are not packed: a report reads these one by one.
    package func unpackedEvents() async throws -> Int { try await counted(DeltaCount()).events }

    /// - Returns: a count with what has come in since.
    func counted(_ delta: DeltaCount) async throws -> DeltaCount {
        try await pool.withConnection { try delta.counted(of: app, on: $0) }
    }
}
