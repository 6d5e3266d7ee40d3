package import Postgres
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
    /// What a reader of a report must know: that history is being read again, or not packed with a declared property
    /// yet; nil if neither is so.
    ///
    /// Also nil if the role may not know: a report must not fail because of it.
    ///
    /// - Parameter properties: those that the report asks for.
    package func historyNotice(of app: App, asking properties: [AppProperty] = []) async -> String? {
        let notices = [await rereadNotice(of: app), await packingNotice(of: app, properties)].compactMap(\.self)
        return notices.isEmpty ? nil : notices.joined(separator: "; ")
    }

    private func packingNotice(of app: App, _ properties: [AppProperty]) async -> String? {
        guard !properties.isEmpty else { return nil }
        let packed = try? await pool.withConnection { try app.packedProperties(on: $0) }
        let missing = properties.filter { packed?.contains($0) == false }.map { "'\($0.name)'" }
        guard !missing.isEmpty else { return nil }
        return
            "history is not packed with the property \(missing.joined(separator: " and ")) yet: the figures are exact, "
            + "but the report reads every event; run 'tributary reread --app \(app.profile.id)' once"
    }

    private func rereadNotice(of app: App) async -> String? {
        let state = try? await pool.withConnection { connection in
            try connection.query(StoredSQL.selectReread, [.int(Int64(app.number))]).first.map { try RereadState($0) }
        }
        guard let state, state.finishedAt == nil else { return nil }
        return
            "history is being read again since \(state.beganAt.rfc3339): until that is done, figures may mix what was "
            + "read by the rules before and by those of today; if no 'tributary reread' runs, run it again to finish"
    }
}

extension App {
    /// The declared properties that all packed events have; all of them if nothing is packed.
    package func packedProperties(on connection: isolated PostgresConnection) throws -> [AppProperty] {
        let packed = try connection.query(StoredSQL.selectPackedProperties, [.int(Int64(number))]).first?.textArray(0)
        return properties.filter { packed?.contains($0.id) ?? true }
    }
}
