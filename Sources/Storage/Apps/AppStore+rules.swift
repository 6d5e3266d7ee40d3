package import InboundLinks
package import Postgres
import Time

extension AppStore {
    /// Gives an app other rules. Daemons read links by them within a second.
    ///
    /// - Parameter yaml: nil removes the rules.
    /// - Returns: the new version; nil if the app has these rules already.
    /// - Throws: `ReadingRulesError` before anything is changed.
    package func setRules(_ yaml: String?, of app: App, name: String = "rules") async throws -> AppRulesVersion? {
        if let yaml { _ = try ReadingRules(yaml: yaml, name: name) }
        return try await pool.withTransaction { connection in
            // Daemons follow the rules as they follow links.
            _ = try LinkRevision.raise(on: connection)
            let number = PostgresValue.int(Int64(app.number))
            let last = try connection.query(StoredSQL.selectAppRules, [number, .null]).first.map {
                try Self.version($0, from: 0)
            }
            guard yaml != last?.yaml else { return nil }
            let rows = try connection.query(StoredSQL.insertAppRules, [number, yaml.map(PostgresValue.text) ?? .null])
            let version = try Self.version(rows[0], from: 0)
            // All versions are kept, so their numbers are enough.
            func fields(_ version: AppRulesVersion?) -> ChangeLog.Fields {
                [("version", .number(Int64(version?.version ?? 0))), ("rules", .string(version?.yaml ?? "none"))]
            }
            try ChangeLog.write(
                .setRules,
                app: app.number,
                before: fields(last),
                after: fields(version),
                on: connection
            )
            return version
        }
    }

    /// The versions of an app's rules, the last first.
    package func rulesVersions(of app: App) async throws -> [AppRulesVersion] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectAppRules, [.int(Int64(app.number)), .null]).map {
                try Self.version($0, from: 0)
            }
        }
    }

    /// The rules that an app has now.
    ///
    /// - Parameter decrypting: whether they have its key for the campaign data of Meta, which a role that only reads
    ///   may not select. Links need none.
    /// - Throws: `ReadingRulesError` if a newer version of this program has accepted them.
    package func rules(of app: App, decrypting: Bool = true) async throws -> ReadingRules {
        let (version, keys) = try await pool.withConnection { connection in
            (
                try Self.lastRules(on: connection)[app.number],
                decrypting ? try Self.metaReferrerKeys(on: connection) : [:]
            )
        }
        var rules = try version?.rules() ?? .none
        rules.metaReferrerKey = keys[app.profile.id]
        rules.declaredProperties = app.properties.map(\.name)
        return rules
    }

    /// How the rules that an app has now tell the pages of targets. Rules that this program cannot read keep no
    /// parameters.
    package static func pageReader(of app: App, on connection: isolated PostgresConnection) throws -> PageReader {
        let rows = try connection.query(StoredSQL.selectRulesOfApp, [.int(Int64(app.number))])
        guard let yaml = try rows.first?.optionalText(0),
            let rules = try? ReadingRules(yaml: yaml, name: "rules")
        else { return PageReader() }
        return PageReader(keeping: rules.pageParameters)
    }

    /// The rules of every app that has or had some, by the app's id.
    ///
    /// - Parameter number: of the only app that is wanted; nil: all.
    /// - Returns: an error for rules that a newer version of this program has accepted.
    package func allRules(
        ofApp number: Int32? = nil
    ) async throws -> [String: Result<ReadingRules, ReadingRulesError>] {
        let (apps, versions, keys) = try await pool.withConnection { connection in
            (
                try Self.apps(andBeingDeleted: false, on: connection), try Self.lastRules(on: connection),
                try Self.metaReferrerKeys(on: connection)
            )
        }
        var all: [String: Result<ReadingRules, ReadingRulesError>] = [:]
        for app in apps where number == nil || app.number == number {
            let (version, key) = (versions[app.number], keys[app.profile.id])
            guard version != nil || key != nil else { continue }
            all[app.profile.id] = Result { () throws(ReadingRulesError) -> ReadingRules in
                var rules = try version?.rules() ?? .none
                if let key { rules.metaReferrerKey = key }
                return rules
            }
        }
        return all
    }

    /// The last version of every app that has or had rules, by the app's number.
    static func lastRules(on connection: isolated PostgresConnection) throws -> [Int32: AppRulesVersion] {
        var versions: [Int32: AppRulesVersion] = [:]
        for row in try connection.query(StoredSQL.selectLastAppRules) {
            versions[Int32(try row.int(0))] = try version(row, from: 1)
        }
        return versions
    }

    private static func version(_ row: PostgresRow, from column: Int) throws -> AppRulesVersion {
        AppRulesVersion(
            version: try row.int(column),
            yaml: try row.optionalText(column + 1),
            setAt: Timestamp(microseconds: try row.timestamp(column + 2))
        )
    }
}
