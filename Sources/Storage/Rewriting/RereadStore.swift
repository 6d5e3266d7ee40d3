import InboundLinks
package import Postgres
import Redirects
package import Time

/// Reads the history of an app again by today's rules (docs/rules.md, *History read again*).
package struct RereadStore: Sendable {
    /// What a run did.
    package struct Outcome: Equatable, Sendable {
        package var moves: RereadMoves
        /// Whether the app got other rules meanwhile.
        package var hasOtherRules: Bool
    }

    private let pool: PostgresPool
    private let app: App

    package init(app: App, pool: PostgresPool) {
        self.app = app
        self.pool = pool
    }

    /// Counts what would move; changes nothing.
    ///
    /// - Parameters:
    ///   - from: the earliest `occurred_at`; nil: the beginning.
    ///   - to: exclusive; nil: the end.
    /// - Throws: `ReadingRulesError` if a newer version of this program has accepted the rules.
    package func preview(
        from: Timestamp?,
        to: Timestamp?,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> RereadMoves {
        let (rereading, _) = try await rereading()
        return try await pool.withConnection { connection in
            try RereadRun(app: app.number, rereading: rereading, from: from, to: to, progress: progress)
                .count(on: connection)
        }
    }

    /// Whether an earlier run was interrupted.
    package func isUnfinished() async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectReread, [.int(Int64(app.number))]).first
                .map { try RereadState($0).finishedAt == nil } ?? false
        }
    }

    /// Rewrites what today's rules read differently. From the beginning to the end, reports say that history is being
    /// read again.
    ///
    /// - Parameter pack: makes what is derived from events again: packed timelines and figures. Called after all events
    ///   are rewritten.
    /// - Throws: `RewriteError.isRereading` before anything is changed.
    package func run(
        from: Timestamp?,
        to: Timestamp?,
        progress: @escaping DeletionProgress.Handler = { _ in },
        pack: () async throws -> Void
    ) async throws -> Outcome {
        let number = PostgresValue.int(Int64(app.number))
        let (rereading, version) = try await rereading()
        let (moves, transaction) = try await pool.withConnection { connection in
            let rewritten = try connection.withAdvisoryLockIfFree("tributary reread \(app.number)") {
                guard try !AppDeparture.isMoving(app.number, on: connection) else { throw RewriteError.isMoving }
                try connection.execute(StoredSQL.beginReread, [number, .int(Int64(version?.version ?? 0))])
                let run = RereadRun(app: app.number, rereading: rereading, from: from, to: to, progress: progress)
                let moves = try run.rewrite(on: connection)
                // Also if an earlier run has rewritten everything and was interrupted then.
                try connection.transaction { _ = try connection.execute(StoredSQL.markForRebuild, [number]) }
                return (moves, try connection.query(StoredSQL.selectReread, [number])[0].int64(3))
            }
            guard let rewritten else { throw RewriteError.isRereading }
            return rewritten
        }
        try await pack()
        let last = try await pool.withTransaction { connection in
            try connection.execute(StoredSQL.finishReread, [number, .int(transaction)])
            try connection.log(
                .reread,
                in: app.number,
                to: [
                    ("rules_version", .number(Int64(version?.version ?? 0))), ("from", .optional(from?.rfc3339)),
                    ("to", .optional(to?.rfc3339)), ("changed_touches", .number(Int64(moves.changed))),
                ]
            )
            return try AppStore.lastRules(on: connection)[app.number]
        }
        return Outcome(moves: moves, hasOtherRules: last != version)
    }

    /// How touches are read today, and the version of the app's rules.
    private func rereading() async throws -> (TouchRereading, AppRulesVersion?) {
        let version = try await pool.withConnection { try AppStore.lastRules(on: $0)[app.number] }
        let links = try await LinkStore(pool: pool).snapshot(ofApp: app.number).table
        return (
            TouchRereading(
                rules: try version?.rules() ?? .none,
                links: ShortLinkJoin(links, appID: app.profile.id)
            ), version
        )
    }
}
