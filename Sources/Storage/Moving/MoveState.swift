package import Postgres

/// How far a move of an app to or from another database is (docs/moving.md).
package enum MoveState: String, Sendable {
    /// It is copied, and goes on being stored here.
    case departing
    /// It can be stored in neither database.
    case barred
    case moved
    case arriving
    /// Its copy here is being removed.
    case undone

    /// The moves that have not ended, and those whose app's rows are still here: the app's id, and since when (UTC).
    package static func all(
        on connection: isolated PostgresConnection
    ) throws -> [(app: String, state: MoveState, since: String)] {
        try connection.query(StoredSQL.selectMoves).compactMap { row in
            guard let state = MoveState(rawValue: try row.text(1)) else { return nil }
            return (try row.text(0), state, try row.text(2))
        }
    }
}
