package import Postgres
import Storage

/// Asks the database for reports.
package enum ReportRunner {
    /// Runs a report over all events committed before the call, in one snapshot.
    ///
    /// - Throws: `PostgresError`, of kind `cancelled` where the task is cancelled; `TimelineError`.
    package static func run(_ request: ReportRequest, on pool: PostgresPool) async throws -> ReportResult {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            try run(request, on: connection)
        }
    }

    /// The same inside a transaction of the caller's.
    package static func run(
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportResult {
        let table = try withTimelines(request.demand, app: request.app, on: connection) { source in
            try request.table(over: source)
        }
        return ReportResult(request: request, table: table)
    }

    /// The timelines that somebody needs, in the transaction at hand.
    static func withTimelines<Result>(
        _ demand: TimelineDemand,
        app: App,
        on connection: isolated PostgresConnection,
        _ body: (TimelineScan) throws -> Result
    ) throws -> Result {
        try TimelineSettings(demand, app: app).apply(on: connection)
        let statement = "copy (\(TimelineSettings.statement)) to stdout (format binary)"
        return try withoutActuallyEscaping({ row in try connection.copyOut(statement, row) }) { rows in
            try body(TimelineScan(rows: rows))
        }
    }
}

extension ReportRequest {
    /// The SQL behind the report with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String {
        TimelineSettings(demand, app: app).script
    }
}
