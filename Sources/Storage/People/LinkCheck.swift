package import Postgres

/// Compares an app's links with its events (docs/events.md, *People*). Reads all events.
package struct LinkCheck: Equatable, Sendable {
    /// Devices whose link is missing, or comes from another event than the rule says.
    package var devices: Int
    /// Clicks, counted in the same way.
    package var clicks: Int

    package var isRight: Bool { devices == 0 && clicks == 0 }

    package static func run(_ app: App, on pool: PostgresPool) async throws -> LinkCheck {
        try await pool.withConnection { try count(in: app.number, on: $0) }
    }

    /// Corrects the links. Other programs may store events meanwhile.
    ///
    /// - Returns: how many were wrong.
    @discardableResult
    package static func repair(
        _ app: App,
        on pool: PostgresPool,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> LinkCheck {
        try await pool.withConnection { connection in
            try LinkRemoval.alone(in: app.number, on: connection, progress: progress) {
                let found = try count(in: app.number, on: connection)
                if !found.isRight {
                    try StoringTransactions.retrying {
                        try connection.transaction {
                            try LinkRemoval.restore(in: app.number, storedFrom: 0, on: connection)
                        }
                    }
                }
                return found
            }
        }
    }

    private static func count(in app: Int32, on connection: isolated PostgresConnection) throws -> LinkCheck {
        let row = try connection.query(StoredSQL.countMissingLinks, [.int(Int64(app))])[0]
        return LinkCheck(devices: try row.int(0), clicks: try row.int(1))
    }
}
