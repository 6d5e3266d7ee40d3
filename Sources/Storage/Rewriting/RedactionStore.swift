package import Postgres

/// Redacts stored secrets by today's rules (docs/privacy.md, *Secrets in old data*).
package struct RedactionStore: Sendable {
    private let pool: PostgresPool
    private let spools: SpoolFolder?

    /// - Parameter spools: nil if the spools are not searched.
    package init(pool: PostgresPool, spools: SpoolFolder?) {
        self.pool = pool
        self.spools = spools
    }

    /// Lets webhooks look again at what they have told: what reports read of the app's events has changed.
    package static func markWebhookEvents(of app: Int32, on connection: isolated PostgresConnection) throws {
        try connection.execute(StoredSQL.waitForWebhookPasses, [.int(Int64(app))])
        try connection.execute(StoredSQL.markWebhookEvents, [.int(Int64(app))])
    }

    /// Searches everything that is stored, and redacts it.
    ///
    /// - Parameters:
    ///   - app: nil: every app.
    ///   - isDryRun: whether only to search.
    /// - Returns: what was found. The packed timelines of `appsToRebuild` are still to be made again.
    /// - Throws: `RewriteError.isRedacting` if another program is redacting.
    package func run(
        app: App?,
        isDryRun: Bool,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> RedactionFindings {
        try await pool.withConnection { connection in
            try RedactionRun(app: app, isDryRun: isDryRun, spools: spools, progress: progress).run(on: connection)
        }
    }
}
