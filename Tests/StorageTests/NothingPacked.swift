import Time
import Postgres
import Storage

/// For databases without packed timelines.
struct NothingPacked: PackedTimelines {
    func remove(
        _ events: [PersonEvent],
        of keys: [PersonKey],
        staysPartly: Bool,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws {}

    func prepareRemoval(
        before time: Timestamp,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> Bool { true }

    func remove(before time: Timestamp, in app: Int32, on connection: isolated PostgresConnection) throws {}

    func prepareLinkRemoval(in app: Int32, on connection: isolated PostgresConnection) throws {}

    func forget(_ app: Int32, on connection: isolated PostgresConnection) throws {}
}
