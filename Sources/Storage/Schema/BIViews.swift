package import Postgres

/// The views that BI tools read (`sql/views`, docs/bi.md) in the schema `bi`, and the role that may read only them.
///
/// A migration creates the views again whenever their text has changed. If its role may not create schemas or roles, as
/// in some managed services, nothing fails: ``finding(_:)`` says what an administrator has to run.
package struct BIViews: Sendable {
    /// The state of a database's views, compared with this program.
    package enum Finding: Equatable, Sendable {
        /// The views are current and the role may read them.
        case ready
        /// A newer program has made the views. This program leaves them alone.
        case newer
        /// The views are missing or old. `advice` says what to do.
        case outdated(advice: String)
        /// The views are current, but only their owner may read them. `advice` says what to do.
        case roleIsMissing(advice: String)
    }

    package static let role = "tributary_bi"

    /// A period of the templates in `sql/views`, and what takes the place of their words in braces.
    private struct Period {
        /// `{period}`
        let name: String
        /// `{first}`: the day by which the period is known.
        let first: String
        /// `{days}`: its length. Nil: the length varies, so templates with this word have no view for it.
        let days: Int?
        /// `{recount}`: which views count the people of several such periods.
        let recount: String

        static let all = [
            Period(
                name: "day",
                first: "The day.",
                days: 1,
                recount: ": the views by week and by month count them anew"
            ),
            Period(name: "week", first: "The Monday with which the week begins.", days: 7, recount: ""),
            Period(name: "month", first: "The first day of the month.", days: nil, recount: ""),
        ]

        /// - Returns: nil if the template has no view for this period.
        func text(of template: String) -> String? {
            if days == nil, template.contains("{days}") { return nil }
            return template.replacing("{period}", with: name)
                .replacing("{first}", with: first)
                .replacing("{days}", with: "\(days ?? 0)")
                .replacing("{recount}", with: recount)
        }
    }

    /// The statements that create all views.
    static var texts: [String] {
        StoredSQL.views.flatMap { view in
            view.text.contains("{period}") ? Period.all.compactMap { $0.text(of: view.text) } : [view.text]
        }
    }

    /// Raise it with every change of ``texts``. If two versions of the program run at the same time, only the newer
    /// one makes the views.
    static let version = 10

    private struct State {
        var version: Int?
        var checksum: String?
        var names: [String]
        var hasSchema: Bool
        var mayCreate: Bool
        var hasRole: Bool
        var mayRoleRead: Bool
    }

    package init() {}

    /// The state of the views. Changes nothing.
    package func finding(_ connection: isolated PostgresConnection) throws -> Finding {
        finding(try state(connection))
    }

    /// Creates the views and the role if they are missing or old and the current role may.
    ///
    /// - Throws: `PostgresError`, for example if other views have the same names or the database is unavailable.
    package func install(_ connection: isolated PostgresConnection) throws {
        var views = try state(connection)
        if !isCurrent(views), !isNewer(views), views.mayCreate {
            try connection.transaction { try create(replacing: views, connection) }
            views = try state(connection)
        }
        guard isCurrent(views), !views.mayRoleRead else { return }
        if !views.hasRole {
            try connection.executeScript(StoredSQL.createBiRole)
            views = try state(connection)
        }
        if views.hasRole, !views.mayRoleRead {
            // Only the views' owner can grant this. For other roles, `finding` gives advice.
            try? connection.executeScript(StoredSQL.grantBiRole)
        }
    }

    /// Drops the views, if they are there. ``install(_:)`` makes them again.
    func drop(_ connection: isolated PostgresConnection) throws {
        let old = try state(connection)
        guard !isNewer(old), !old.names.isEmpty else { return }
        try connection.transaction {
            try connection.execute(
                "select set_config('tributary.bi_views', $1::text[]::text, true)",
                [.textArray(old.names)]
            )
            try connection.executeScript(StoredSQL.dropBiViews)
            try connection.execute("delete from bi_views")
        }
    }

    private func create(replacing old: State, _ connection: isolated PostgresConnection) throws {
        if !old.hasSchema { try connection.executeScript(StoredSQL.createBiSchema) }
        try connection.execute(
            "select set_config('tributary.bi_views', $1::text[]::text, true)",
            [.textArray(old.names)]
        )
        try connection.executeScript(StoredSQL.dropBiViews)
        for text in Self.texts { try connection.executeScript(text) }
        try connection.execute(
            StoredSQL.upsertBiViews,
            [.int(Int64(Self.version)), .text(Self.checksum), .textArray(Self.names)]
        )
    }

    private func state(_ connection: isolated PostgresConnection) throws -> State {
        let row = try connection.query(StoredSQL.selectBiViews, [.text(Self.role)])[0]
        return State(
            version: try row.optionalInt64(0).map { Int($0) },
            checksum: try row.optionalText(1),
            names: try row.textArray(2),
            hasSchema: try row.bool(3),
            mayCreate: try row.bool(4),
            hasRole: try row.bool(5),
            mayRoleRead: try row.bool(6)
        )
    }

    private func isCurrent(_ state: State) -> Bool {
        state.version == Self.version && state.checksum == Self.checksum
    }

    private func isNewer(_ state: State) -> Bool { state.version.map { $0 > Self.version } ?? false }

    private func finding(_ state: State) -> Finding {
        if isNewer(state) { return .newer }
        guard isCurrent(state) else {
            return .outdated(
                advice: state.mayCreate
                    ? "Run tributary migrate."
                    : "As an administrator: create schema if not exists bi authorization OWNER; where OWNER is the role "
                        + "that migrates. Then run tributary migrate."
            )
        }
        guard state.mayRoleRead else {
            return .roleIsMissing(
                advice: state.hasRole
                    ? "As the owner of the views: \(StoredSQL.grantBiRole.statements)"
                    : "As an administrator: create role \(Self.role) nologin; then run tributary migrate."
            )
        }
        return .ready
    }

    /// The SHA-256 of the templates and of what fills them, in hexadecimal. Every command compares it, and making the
    /// texts takes longer than the rest of the comparison.
    static let checksum = Migrator.Migration(
        name: "",
        text: StoredSQL.views.map(\.text).joined()
            + Period.all.map { "\($0.name)\($0.first)\($0.days ?? 0)\($0.recount)" }.joined()
    ).checksum

    /// The names of the views that the texts create, without the schema.
    static var names: [String] {
        let head = "create view bi."
        return texts.flatMap { text in
            text.split(separator: "\n").filter { $0.hasPrefix(head) }
                .map { String($0.dropFirst(head.count).prefix { !$0.isWhitespace }) }
        }
    }
}

extension String {
    /// A script's statements in one line, without comments.
    fileprivate var statements: String {
        split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: " ")
    }
}
