package import InboundLinks
import Postgres

/// The keys of apps for the campaign data of Meta in install referrers.
extension AppStore {
    /// Gives an app another key, or takes it away. Daemons read what comes from then on by it, within a second.
    ///
    /// - Parameter key: nil: the app has none any more.
    package func setMetaReferrerKey(_ key: MetaReferrerKey?, ofApp id: String) async throws {
        try await pool.withTransaction { connection in
            // Daemons read the settings of apps when links have changed.
            _ = try LinkRevision.raise(on: connection)
            try connection.execute(
                StoredSQL.insertAppSecret,
                [.text(id), key.map { .bytes($0.bytes) } ?? .null]
            )
            try connection.execute(StoredSQL.updateMetaReferrerKey, [.text(id), .bool(key != nil)])
            guard let app = try Self.apps(andBeingDeleted: false, id: id, on: connection).first else { return }
            let fields = [("key", InspectionValue.string(key == nil ? "removed" : "set"))]
            try ChangeLog.write(.setMetaReferrerKey, id, app: app.number, after: fields, on: connection)
        }
    }

    /// The keys of all apps that have one, by the app's id.
    static func metaReferrerKeys(on connection: isolated PostgresConnection) throws -> [String: MetaReferrerKey] {
        var keys: [String: MetaReferrerKey] = [:]
        for row in try connection.query(StoredSQL.selectMetaReferrerKeys) {
            keys[try row.text(0)] = MetaReferrerKey(bytes: try row.bytes(1))
        }
        return keys
    }
}
