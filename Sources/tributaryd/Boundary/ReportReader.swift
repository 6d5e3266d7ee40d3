import Postgres
import Reporting
import Storage

/// The connections that read for reports, on the daemon's database or on a standby of it (`report.database`).
struct ReportReader {
    let pool: PostgresPool
    /// How many of them may share a report.
    let connections: Int

    var apps: AppStore { AppStore(pool: pool) }

    func run(_ request: ReportRequest) async throws -> ReportResult {
        try await ReportRunner.run(request, on: pool, connections: connections)
    }

    /// What a reader of reports that run after this must know: that history is being read again, and what a standby has
    /// replayed.
    func notices(of app: App) async -> [String] {
        let history = await apps.historyNotice(of: app)
        let standby = try? await pool.withConnection { try StandbyPosition.read($0) }
        return [history, standby?.notice].compactMap { $0 }
    }
}
