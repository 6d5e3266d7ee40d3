package import Postgres
import Storage
import Synchronization
import Timelines

/// Runs reports on the database.
package enum ReportRunner {
    /// Runs a report over all events committed before the call, in one snapshot.
    ///
    /// - Parameter connections: how many of the pool's connections may share the report. It waits for one of them, and
    ///   uses others only while no other use waits for them.
    /// - Throws: `PostgresError`, of kind `cancelled` if the task is cancelled; `TimelineError`.
    package static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        connections: Int = 2
    ) async throws -> ReportResult {
        try await run(request, on: pool, ScanSharing(connections: connections))
    }

    static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> ReportResult {
        // Before the snapshot is taken: see `StandbyPosition.read`.
        let standby = try await pool.withConnection { try StandbyPosition.read($0) }
        var result = ReportResult(
            request: request,
            table: try await table(of: request.report, request, sharing, on: pool)
        )
        result.standby = standby
        result.warnings = currencyWarnings(of: result.table)
        if let report = request.report as? any CompletedReport {
            let table = result.table
            result.table = try await pool.withConnection { try report.completed(table, of: request, on: $0) }
        }
        result.table = request.withCompleteness(result.table)
        result.warnings += try await warnings(of: request, on: pool, sharing)
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
        return ReportResult(request: request, table: request.withCompleteness(table))
    }

    /// Each connection waits inside its transaction while others read parts of the plan, which may take minutes if
    /// nothing is cached. Their own limits bound this time.
    private static let waiting = ["set local idle_in_transaction_session_timeout = 0"]

    /// Reads packed timelines on several connections, if there are many events and other connections are free.
    static func table<R: Report>(
        of report: R,
        _ request: ReportRequest,
        _ sharing: ScanSharing,
        on pool: PostgresPool
    ) async throws -> ReportTable {
        let scan = ParallelScan(sharing)
        return try await withThrowingTaskGroup(of: PartialReport<R.Fold>?.self) { group in
            for _ in 1..<sharing.connections {
                group.addTask { try await assistance(for: report, request, scan, on: pool) }
            }
            defer { scan.withdraw() }
            let outcome = try await pool.withConnection { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    let outcome = try Outcome.read(report, request, sharing: scan, on: connection)
                    return (table: outcome, answers: try answers(of: report, request, on: connection))
                }
            }
            scan.withdraw()
            var others: [PartialReport<R.Fold>] = []
            while others.count < scan.assistants, let part = try await group.next() {
                if let part { others.append(part) }
            }
            // What is left waits for a connection.
            group.cancelAll()
            return try amended(
                outcome.table.table(of: report, with: others),
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
        var amended = try report.amended(table, of: request, with: answers)
        amended.otherCurrencies = table.otherCurrencies
        return amended
    }

    private static func table<R: Report>(
        of report: R,
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable {
        let table = try Outcome.read(report, request, sharing: nil, on: connection).table(of: report, with: [])
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
                    .whole(try request.foldedTable(over: source))
                }
            }
            let scan = scan ?? ParallelScan(ScanSharing(connections: 1))
            // A standby exports no snapshot, and that of a Citus coordinator does not bind the workers: there, one
            // connection reads everything.
            let name =
                !connection.isDistributed && scan.readers(of: packed) > 1
                ? try connection.query("select pg_export_snapshot() where not pg_is_in_recovery()").first?.text(0) : nil
            scan.begin(packed, exportedAs: name)
            defer { scan.awaitImporters() }
            return .part(try ReportRunner.read(report, request, packed, scan, on: connection))
        }

        func table(of report: R, with assistance: [PartialReport<R.Fold>]) throws -> ReportTable {
            switch self {
            case .whole(let table): return table
            case .part(let part): return try part.table(report.columns, with: assistance)
            }
        }
    }

    /// What another connection has read; nil if none has joined the scan.
    private static func assistance<R: Report>(
        for report: R,
        _ request: ReportRequest,
        _ scan: ParallelScan,
        on pool: PostgresPool
    ) async throws -> PartialReport<R.Fold>? {
        guard let offer = await scan.offer() else { return nil }
        let hasJoined = Atomic(false)
        do {
            return try await pool.withConnection(isSpare: true) { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    guard try join(scan, offer, on: connection) else { return nil }
                    hasJoined.store(true, ordering: .relaxed)
                    return try read(report, request, offer.snapshot, scan, on: connection)
                }
            }
        } catch  where !hasJoined.load(ordering: .relaxed) {
            // The server may have no connection left. The report goes on without this one.
            return nil
        }
    }

    /// - Returns: false if the scan needs no further connection.
    private static func join(
        _ scan: ParallelScan,
        _ offer: ParallelScan.Offer,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        guard scan.beginImport() else { return false }
        do {
            try connection.executeScript("set transaction snapshot '\(offer.name)'")
        } catch {
            scan.endImport(hasJoined: false)
            throw error
        }
        scan.endImport(hasJoined: true)
        return true
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
        return PartialReport(fold: fold, reassigned: reader.drainReassigned())
    }
}

extension ReportRequest {
    /// The report's SQL with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String {
        let statements = (report as? any AmendedReport)?.statements(of: self) ?? []
        return TimelineSettings(query, app: app).script(with: statements)
    }
}
