import Postgres
import Storage

/// How much of an app's events is packed.
struct TailSize: Equatable, Sendable {
    /// Events that are not packed.
    var events: Int
    /// Events that are.
    var packed: Int
    /// Links and stories that have changed since.
    var changes: Int

    static func read(of app: App, on connection: isolated PostgresConnection) throws -> TailSize {
        let row = try connection.query(StoredSQL.selectTailSize, [.int(Int64(app.number))])[0]
        return TailSize(events: try row.int(0), packed: try row.int(1), changes: try row.int(2))
    }
}
