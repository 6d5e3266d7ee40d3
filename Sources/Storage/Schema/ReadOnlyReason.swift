package import Postgres

/// Why a session can only read.
package enum ReadOnlyReason: Equatable, Sendable, CustomStringConvertible {
    /// The server replays a primary.
    case standby
    /// The role's own setting, as that of `tributary_reader`.
    case role(String)
    /// A setting of the server or the database. An operator, or a managed service whose disk is nearly full, makes it.
    case server

    /// - Returns: nil if the session may write.
    package static func read(_ connection: isolated PostgresConnection) throws -> ReadOnlyReason? {
        let row = try connection.query(
            """
            select
                current_setting('transaction_read_only') = 'on',
                pg_is_in_recovery(),
                exists (
                    select
                    from pg_settings
                    where name = 'default_transaction_read_only' and source in ('user', 'database user')
                ),
                current_user::text
            """
        )[0]
        guard try row.bool(0) else { return nil }
        if try row.bool(1) { return .standby }
        return try row.bool(2) ? .role(row.text(3)) : .server
    }

    package var description: String {
        switch self {
        case .standby: "the database is read-only, as a standby is"
        case .role(let name): "\(name) is a read-only role"
        case .server: "the database is read-only: default_transaction_read_only is on"
        }
    }
}
