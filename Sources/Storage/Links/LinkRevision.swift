import Postgres
import Time

/// The number of the last change of links (`link_table_revision`).
enum LinkRevision {
    /// Begins a change of links, hosts or settings of apps. Waits for other changes, and lets none begin until the
    /// transaction ends: what the caller reads from now on stays as it is.
    ///
    /// - Returns: the change's number, and the time of the database.
    static func raise(on connection: isolated PostgresConnection) throws -> (number: Int64, time: Timestamp) {
        let row = try connection.query(StoredSQL.raiseLinkRevision)[0]
        return (try row.int64(0), Timestamp(microseconds: try row.timestamp(1)))
    }

    /// - Returns: the last change, and the earliest revision from which changes are enough.
    static func read(on connection: isolated PostgresConnection) throws -> (last: Int64, completeSince: Int64) {
        let row = try connection.query(StoredSQL.selectLinkRevision)[0]
        return (try row.int64(0), try row.int64(1))
    }
}
