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
    /// The declared properties that all segments have (`AppProperty.id`).
    var properties: Set<String>

    /// Reads the state; nil if nothing of the app was ever packed.
    ///
    /// - Parameter locking: block others that pack or remove events until the transaction ends.
    static func read(app: Int32, locking: Bool = false, on connection: isolated PostgresConnection) throws -> Self? {
        let statement = locking ? TimelineSQL.lockTimelineState : TimelineSQL.selectTimelineState
        guard let row = try connection.query(statement, [.int(Int64(app))]).first else { return nil }
        return TimelineState(
            packedThrough: try row.int64(0),
            linkedThrough: try row.int64(1),
            generation: try row.int(2),
            nextSegment: try row.int(3),
            events: try row.int(4),
            lastStoryTouch: Timestamp(microseconds: try row.timestamp(5)),
            hasPostIDs: try row.bool(6),
            hash: KeyedHash(key: try row.bytes(7)),
            properties: Set(try row.textArray(8))
        )
    }

    var isEmpty: Bool { packedThrough == 0 }

    /// Whether something is packed, with all declared properties of a query.
    func serves(_ query: TimelineQuery) -> Bool {
        !isEmpty && query.properties.values.allSatisfy { properties.contains($0.id) }
    }
}
