import Postgres
package import Time

/// The last time that an app's history was read again.
package struct RereadState: Equatable, Sendable {
    /// The version of the app's rules; 0: it had none.
    package var rulesVersion: Int
    package var beganAt: Timestamp
    /// Nil: it is being read again, or that was interrupted.
    package var finishedAt: Timestamp?

    init(_ row: PostgresRow, from column: Int = 0) throws {
        rulesVersion = try row.int(column)
        beganAt = Timestamp(microseconds: try row.timestamp(column + 1))
        finishedAt = try row.optionalTimestamp(column + 2).map { Timestamp(microseconds: $0) }
    }
}

extension AppStore {
    /// What a reader of a report must know: that history is being read again; nil if it is not.
    ///
    /// Also nil if the role may not know: a report must not fail because of it.
    package func historyNotice(of app: App) async -> String? {
        let state = try? await pool.withConnection { connection in
            try connection.query(StoredSQL.selectReread, [.int(Int64(app.number))]).first.map { try RereadState($0) }
        }
        guard let state, state.finishedAt == nil else { return nil }
        return
            "history is being read again since \(state.beganAt.rfc3339): until that is done, figures may mix what was "
            + "read by the rules before and by those of today; if no 'tributary reread' runs, run it again to finish"
    }
}
