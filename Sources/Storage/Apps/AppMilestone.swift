import Postgres

/// How far an app has come with its links: what has happened at least once.
package enum AppMilestone: CaseIterable, Sendable {
    /// It has a short link.
    case link
    /// Somebody followed one.
    case click
    /// The app was opened, by a link or without.
    case open
    case install
    case conversion
    /// An event of a person names a click: so an install or a conversion is credited to its link.
    case join
}

extension AppStore {
    /// How many of the newest events are looked through: a young app has no more, and they are read in milliseconds.
    private static let newestEvents: Int64 = 20_000

    /// What has happened in an app, as far as its newest events show it.
    package func milestones(of app: App) async throws -> Set<AppMilestone> {
        try await pool.withConnection { connection in
            let number = PostgresValue.int(Int64(app.number))
            var reached: Set<AppMilestone> = []
            if try connection.query(StoredSQL.selectAnyLink, [number])[0].bool(0) { reached.insert(.link) }
            let events = try connection.query(StoredSQL.selectMilestones, [number, .int(Self.newestEvents)])[0]
            for (column, milestone) in [AppMilestone.click, .open, .install, .conversion, .join].enumerated()
            where try events.bool(column) {
                reached.insert(milestone)
            }
            return reached
        }
    }
}
