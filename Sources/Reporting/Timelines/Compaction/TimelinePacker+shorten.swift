import Postgres
import Storage

extension TimelinePacker {
    /// So many events may be in the tail of a fold that must take little memory: their links are held, and each is looked up.
    static let shortTail = PackingPace.tailLimit

    /// Packs a long tail, for a fold that is about to read it and must not take much memory. Of an app of which nothing is
    /// packed there is no tail to hold: its events come from PostgreSQL in the order of people.
    ///
    /// In pieces, as everybody packs; those that come in meanwhile are left, and the segments are for ``TimelineUpkeep`` to
    /// put together. Where somebody else is at work on the app's timelines for long, the tail stays as it is.
    ///
    /// - Parameter limit: a shorter tail is left alone.
    package func shortenTail(to limit: Int = shortTail) async throws {
        do {
            var tail = try await counted(TailCount())
            // As many pieces as there are now, whatever comes in; one more, since most are a little smaller. No more once somebody
            // makes the timelines be forgotten.
            for _ in 0...tail.events / PackingPace.pieceSize + 1 where tail.packed > 0 && tail.events > limit {
                let packed = try await pack(
                    before: tail.ends(ofAtMost: PackingPace.pieceSize),
                    countedFrom: tail.packedThrough
                )
                tail.pack(packed.events, through: packed.through)
                tail = try await counted(tail)
            }
        } catch let error as PostgresError where error.isRetryable || error.isStatementTimeout {
            return
        }
    }

    /// How many events of the app are not packed: a report reads these one by one.
    package func unpackedEvents() async throws -> Int { try await counted(TailCount()).events }

    /// - Returns: a count with what has come in since.
    func counted(_ tail: TailCount) async throws -> TailCount {
        try await pool.withConnection { try tail.counted(of: app, on: $0) }
    }
}
