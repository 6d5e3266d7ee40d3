import InboundLinks
import Time
import Postgres
import Storage

/// How far an app's events are packed (`timeline_state`).
struct TimelineState: Sendable {
    var packedThrough: Int64
    var linkedThrough: Int64
    var generation: Int
    var nextSegment: Int
    var events: Int
    var lastStoryTouch: Timestamp
    var hasPostIDs: Bool
    var hash: KeyedHash

    /// Nil for an app of which nothing was ever packed.
    ///
    /// - Parameter locking: until the transaction's end nobody else packs or removes.
    static func read(app: Int32, locking: Bool = false, on connection: isolated PostgresConnection) throws -> Self? {
        let statement = locking ? StoredSQL.lockTimelineState : StoredSQL.selectTimelineState
        guard let row = try connection.query(statement, [.int(Int64(app))]).first else { return nil }
        return TimelineState(
            packedThrough: try row.int64(0),
            linkedThrough: try row.int64(1),
            generation: try row.int(2),
            nextSegment: try row.int(3),
            events: try row.int(4),
            lastStoryTouch: Timestamp(microseconds: try row.timestamp(5)),
            hasPostIDs: try row.bool(6),
            hash: KeyedHash(key: try row.bytes(7))
        )
    }

    var isEmpty: Bool { packedThrough == 0 }
}
