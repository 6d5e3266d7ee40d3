package import Postgres
import Storage

/// Asks the database for reports.
package enum ReportRunner {
    /// Runs a report over all events committed before the call, in one snapshot.
    ///
    /// - Throws: `PostgresError`, of kind `cancelled` where the task is cancelled; `TimelineError`.
    package static func run(_ request: ReportRequest, on pool: PostgresPool) async throws -> ReportResult {
        try await run(request, on: pool, sharingFrom: PackedWork.sharingThreshold)
    }

    /// - Parameter threshold: with so many packed events a second connection helps.
    static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        sharingFrom threshold: Int
    ) async throws -> ReportResult {
        let work = PackedWork(sharingFrom: threshold)
        return ReportResult(request: request, table: try await table(of: request.report, request, work, on: pool))
    }

    /// The same inside a transaction of the caller's, with isolation `repeatableRead`.
    package static func run(
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportResult {
        ReportResult(request: request, table: try table(of: request.report, request, on: connection))
    }

    /// Each of two connections waits inside its transaction for what the other reads, which may take minutes where nothing is in
    /// any cache. How long the other may take is bounded by its own limits.
    private static let waiting = ["set local idle_in_transaction_session_timeout = 0"]

    /// Reads packed timelines with two connections, where there are many and a second connection is to be had.
    private static func table<Asked: Report>(
        of report: Asked,
        _ request: ReportRequest,
        _ work: PackedWork,
        on pool: PostgresPool
    ) async throws -> ReportTable {
        try await withThrowingTaskGroup(of: PackedPart<Asked.Fold>?.self) { group in
            group.addTask {
                guard let plan = await work.offer() else { return nil }
                return try await pool.withConnection { connection in
                    try assist(report, request, plan, work, on: connection)
                }
            }
            defer { work.withdraw() }
            let outcome = try await pool.withConnection { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    try Outcome.read(report, request, sharing: work, on: connection)
                }
            }
            work.withdraw()
            // It may still wait for a connection.
            if !work.isAssisted { group.cancelAll() }
            var assistance: PackedPart<Asked.Fold>?
            do {
                for try await part in group where part != nil { assistance = part }
            } catch let error as PostgresError where error.kind == .cancelled && !work.isAssisted {
                try Task.checkCancellation()
            }
            return try outcome.table(of: report, with: assistance)
        }
    }

    private static func table<Asked: Report>(
        of report: Asked,
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable {
        try Outcome.read(report, request, sharing: nil, on: connection).table(of: report, with: nil)
    }

    private enum Outcome<Asked: Report>: Sendable {
        case whole(ReportTable)
        /// What this connection has read.
        case part(PackedPart<Asked.Fold>)

        static func read(
            _ report: Asked,
            _ request: ReportRequest,
            sharing work: PackedWork?,
            on connection: isolated PostgresConnection
        ) throws -> Outcome {
            let texts = TimelineDictionary.makeSharedTexts()
            let base = try PackedPlan.Base.read(request.demand, app: request.app, texts: texts, on: connection)
            guard let base else {
                return try TimelineScan.read(request.demand, app: request.app, on: connection) { source in
                    .whole(try request.table(over: source))
                }
            }
            let isShared = work.map { base.state.events >= $0.threshold } ?? false
            let snapshot = isShared ? try connection.query("select pg_export_snapshot()").first?.text(0) : nil
            let work = work ?? PackedWork()
            work.begin(base, snapshot: snapshot)
            return .part(try ReportRunner.read(report, request, base, work, on: connection))
        }

        func table(of report: Asked, with assistance: PackedPart<Asked.Fold>?) throws -> ReportTable {
            switch self {
            case .whole(let table): return table
            case .part(let part): return ReportTable(columns: report.columns, rows: try part.rows(with: assistance))
            }
        }
    }

    /// The second connection's part, nil where the first has done it all.
    private static func assist<Asked: Report>(
        _ report: Asked,
        _ request: ReportRequest,
        _ offer: PackedWork.Offer,
        _ work: PackedWork,
        on connection: isolated PostgresConnection
    ) throws -> PackedPart<Asked.Fold>? {
        try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
            guard work.beginImport() else { return nil }
            do {
                defer { work.endImport() }
                try connection.executeScript("set transaction snapshot '\(offer.snapshot)'")
            }
            return try read(report, request, offer.base, work, on: connection)
        }
    }

    /// Reads pieces of the plan, then folds buckets, until none is left.
    private static func read<Asked: Report>(
        _ report: Asked,
        _ request: ReportRequest,
        _ base: PackedPlan.Base,
        _ work: PackedWork,
        on connection: isolated PostgresConnection
    ) throws -> PackedPart<Asked.Fold> {
        try ScanPlanning.byLookup.apply(on: connection)
        let plan = try work.plan(base) { piece in try base.read(piece, on: connection) }
        var reader = PackedReader(plan)
        defer { reader.deallocate() }
        var fold = report.makeFold(request.run(dictionary: reader.dictionary))
        while let buckets = work.nextBuckets() {
            try reader.read(buckets, on: connection) { person in fold.add(person) }
        }
        let keptBack = reader.takeKeptBack()
        return PackedPart(fold: fold, dictionary: reader.dictionary, plan: plan, keptBack: keptBack)
    }
}

extension ReportRequest {
    /// The SQL behind the report with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String {
        TimelineSettings(demand, app: app).script
    }
}
