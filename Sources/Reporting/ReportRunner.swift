package import Postgres

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
        try TimelineSettings(request.demand, app: request.app).apply(on: connection)
        let statement = "copy (\(TimelineSettings.statement)) to stdout (format binary)"
        return try withoutActuallyEscaping({ row in try connection.copyOut(statement, row) }) { rows in
            ReportResult(request: request, table: try request.table(over: TimelineScan(rows: rows)))
        }
    }
}

extension ReportRequest {
    /// The SQL behind the report with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String {
        TimelineSettings(demand, app: app).script
    }
}
