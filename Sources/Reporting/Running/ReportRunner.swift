package import Postgres
import Storage
import Timelines

/// Runs reports on the database.
package enum ReportRunner {
    /// Runs a report over all events committed before the call, in one snapshot.
    ///
    /// - Throws: `PostgresError`, of kind `cancelled` if the task is cancelled; `TimelineError`.
    package static func run(_ request: ReportRequest, on pool: PostgresPool) async throws -> ReportResult {
        try await run(request, on: pool, sharingFrom: ParallelScan.sharingThreshold)
    }

    /// - Parameter threshold: from this many packed events on, a second connection helps.
    static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        sharingFrom threshold: Int
    ) async throws -> ReportResult {
        let scan = ParallelScan(sharingFrom: threshold)
        var result = ReportResult(
            request: request,
            table: try await table(of: request.report, request, scan, on: pool)
        )
        if let report = request.report as? any CompletedReport {
            let table = result.table
            result.table = try await pool.withConnection { try report.completed(table, of: request, on: $0) }
        }
        result.warnings = try await warnings(of: request, on: pool, sharingFrom: threshold)
        return result
    }

    /// The same inside the caller's transaction, which must be `repeatableRead`, and without warnings.
    package static func run(
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportResult {
        var table = try table(of: request.report, request, on: connection)
        if let report = request.report as? any CompletedReport {
            table = try report.completed(table, of: request, on: connection)
        }
        return ReportResult(request: request, table: table)
    }

    /// Each of two connections waits inside its transaction while the other one reads, which may take minutes if
    /// nothing is cached. The other one's own limits bound this time.
    private static let waiting = ["set local idle_in_transaction_session_timeout = 0"]

    /// Reads packed timelines on two connections, if there are many events and a second connection is available.
    static func table<R: Report>(
        of report: R,
        _ request: ReportRequest,
        _ scan: ParallelScan,
        on pool: PostgresPool
    ) async throws -> ReportTable {
        try await withThrowingTaskGroup(of: PartialReport<R.Fold>?.self) { group in
            group.addTask {
                guard let offer = await scan.offer() else { return nil }
                return try await pool.withConnection { connection in
                    try assist(report, request, offer, scan, on: connection)
                }
            }
            defer { scan.withdraw() }
            let outcome = try await pool.withConnection { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    let outcome = try Outcome.read(report, request, sharing: scan, on: connection)
                    return (table: outcome, answers: try answers(of: report, request, on: connection))
                }
            }
            scan.withdraw()
            // The task may still wait for a connection.
            if !scan.isAssisted { group.cancelAll() }
            var assistance: PartialReport<R.Fold>?
            do {
                for try await part in group where part != nil { assistance = part }
            } catch let error as PostgresError where error.kind == .cancelled && !scan.isAssisted {
                try Task.checkCancellation()
            }
            return try amended(
                outcome.table.table(of: report, with: assistance),
                report,
                request,
                with: outcome.answers
            )
        }
    }

    /// What a report reads that is not in timelines, inside the transaction that reads the timelines.
    private static func answers<R: Report>(
        of report: R,
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> [[PostgresRow]] {
        guard let report = report as? any AmendedReport else { return [] }
        return try report.answers(of: request, on: connection)
    }

    private static func amended<R: Report>(
        _ table: ReportTable,
        _ report: R,
        _ request: ReportRequest,
        with answers: [[PostgresRow]]
    ) throws -> ReportTable {
        guard let report = report as? any AmendedReport else { return table }
        return try report.amended(table, of: request, with: answers)
    }

    private static func table<R: Report>(
        of report: R,
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable {
        let table = try Outcome.read(report, request, sharing: nil, on: connection).table(of: report, with: nil)
        return try amended(table, report, request, with: try answers(of: report, request, on: connection))
    }

    private enum Outcome<R: Report>: Sendable {
        case whole(ReportTable)
        /// The part that this connection has read.
        case part(PartialReport<R.Fold>)

        static func read(
            _ report: R,
            _ request: ReportRequest,
            sharing scan: ParallelScan?,
            on connection: isolated PostgresConnection
        ) throws -> Outcome {
            let texts = TimelineDictionary.makeSharedTexts()
            let packed = try PackedSnapshot.read(request.query, app: request.app, texts: texts, on: connection)
            guard let packed else {
                return try TimelineScan.read(request.query, app: request.app, on: connection) { source in
                    .whole(try request.table(over: source))
                }
            }
            let isShared = scan.map { packed.packedEvents >= $0.threshold } ?? false
            // A standby exports no snapshot: there, one connection reads everything.
            let name =
                isShared
                ? try connection.query("select pg_export_snapshot() where not pg_is_in_recovery()").first?.text(0) : nil
            let scan = scan ?? ParallelScan()
            scan.begin(packed, exportedAs: name)
            return .part(try ReportRunner.read(report, request, packed, scan, on: connection))
        }

        func table(of report: R, with assistance: PartialReport<R.Fold>?) throws -> ReportTable {
            switch self {
            case .whole(let table): return table
            case .part(let part): return ReportTable(columns: report.columns, rows: try part.rows(with: assistance))
            }
        }
    }

    /// The second connection's part, nil if the first one has read everything.
    private static func assist<R: Report>(
        _ report: R,
        _ request: ReportRequest,
        _ offer: ParallelScan.Offer,
        _ scan: ParallelScan,
        on connection: isolated PostgresConnection
    ) throws -> PartialReport<R.Fold>? {
        try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
            guard scan.beginImport() else { return nil }
            do {
                defer { scan.endImport() }
                try connection.executeScript("set transaction snapshot '\(offer.name)'")
            }
            return try read(report, request, offer.snapshot, scan, on: connection)
        }
    }

    /// Reads parts of the plan, then folds buckets, until none is left.
    private static func read<R: Report>(
        _ report: R,
        _ request: ReportRequest,
        _ snapshot: PackedSnapshot,
        _ scan: ParallelScan,
        on connection: isolated PostgresConnection
    ) throws -> PartialReport<R.Fold> {
        var reader = PackedReader(try scan.plan(of: snapshot, on: connection))
        defer { reader.deallocate() }
        var fold = report.makeFold(request.run(dictionary: reader.dictionary))
        while let buckets = scan.nextBuckets() {
            try reader.read(buckets, on: connection) { person in fold.add(person) }
        }
        return PartialReport(fold: fold, reassigned: reader.takeReassigned())
    }
}

extension ReportRequest {
    /// The report's SQL with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String {
        let statements = (report as? any AmendedReport)?.statements(of: self) ?? []
        return TimelineSettings(query, app: app).script(with: statements)
    }
}
