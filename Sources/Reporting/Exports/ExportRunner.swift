import Events
import Time
package import Postgres
import Storage
import Timelines

/// Reads exports from the database row by row, so memory does not grow with their number.
package enum ExportRunner {
    private static let pieceSize = 128 << 10
    /// The approximate size in bytes at which the dictionary is emptied, so that memory does not grow with the number
    /// of different texts.
    private static let dictionaryLimit = 8 << 20

    /// Runs an export inside the caller's transaction, which must be repeatable read, so that cursor and rows are of
    /// one snapshot.
    ///
    /// - Throws: `PostgresError`, of kind `cancelled` if the task is cancelled; `ReportError.usage` for a cursor of
    ///   another database; `TimelineError`; errors of the sink.
    package static func run(
        _ request: ExportRequest,
        on connection: isolated PostgresConnection,
        to sink: inout some ExportSink
    ) throws -> ExportSummary {
        let cursor = try request.since.map { since in
            let horizon = try TransactionHorizon.read(of: request.app.number, on: connection)
            guard since.transaction <= horizon else {
                throw ReportError.invalid("since", "the cursor is ahead of this database, so it is from another one")
            }
            return ExportCursor(export: since.export, app: since.app, transaction: horizon)
        }
        var rows = ExportRowWriter(columns: request.columns, format: request.format)
        rows.header()
        if let export = request.export as? any TimelineExport {
            try copyTimelines(export, request, on: connection, through: &rows, to: &sink)
        } else {
            try copyEvents(request, horizon: cursor?.transaction, on: connection, through: &rows, to: &sink)
        }
        try hand(&rows, to: &sink)
        return ExportSummary(
            rows: rows.rowCount,
            cursor: cursor,
            rules: try ExportRules.read(app: request.app.number, on: connection)
        )
    }

    private static func hand(_ rows: inout ExportRowWriter, to sink: inout some ExportSink) throws {
        guard !rows.bytes.isEmpty else { return }
        try rows.bytes.withUnsafeBytes { try sink.write($0, rows: rows.rowCount) }
        rows.removeAll()
    }

    /// Hands the rows on if they are a piece.
    ///
    /// - Throws: errors of the sink; `CancellationError`, because one person may have very many rows.
    private static func handOn(_ rows: inout ExportRowWriter, to sink: inout some ExportSink) throws {
        guard rows.bytes.count >= pieceSize else { return }
        try Task.checkCancellation()
        try hand(&rows, to: &sink)
    }

    private static func copyEvents(
        _ request: ExportRequest,
        horizon: Int64?,
        on connection: isolated PostgresConnection,
        through rows: inout ExportRowWriter,
        to sink: inout some ExportSink
    ) throws {
        try ScanPlanning.byPage.apply(on: connection)
        let statement = BoundStatement(
            EventsExport.statement,
            [
                "app_number": String(request.app.number),
                "from": request.range.from.spelled.rfc3339,
                "to": request.range.to.spelled.rfc3339,
                "since": String(request.since?.transaction ?? 0),
                // Only an incremental export ends at the horizon. A whole one contains all events.
                "horizon": String(horizon ?? .max),
            ]
        )
        let kinds = request.columns.map(\.kind)
        try connection.copyOut(statement.copyOut) { row in
            rows.beginRow()
            for kind in kinds { try rows.copy(kind, from: &row) }
            rows.endRow()
            try handOn(&rows, to: &sink)
        }
    }

    private static func copyTimelines(
        _ export: any TimelineExport,
        _ request: ExportRequest,
        on connection: isolated PostgresConnection,
        through writer: inout ExportRowWriter,
        to sink: inout some ExportSink
    ) throws {
        let asked = request.query(of: export)
        let rates = try ExchangeRates(of: request.app, for: asked, on: connection)
        let pages = asked.needs.contains(.targets) ? try AppStore.pageReader(of: request.app, on: connection) : nil
        func write(_ source: TimelineScan, tellsDeleted: Bool) throws {
            source.dictionary.rates = rates
            if let pages { source.dictionary.pageReader = pages }
            try Self.write(export, request, of: source, tellsDeleted: tellsDeleted, through: &writer, to: &sink)
        }
        // At the beginning all people are new, and none is deleted.
        guard let since = request.since, since.transaction > 0 else {
            return try TimelineScan.read(asked, app: request.app, on: connection) { source in
                try write(source, tellsDeleted: false)
            }
        }
        try ScanPlanning.byHash.apply(on: connection)
        let query = try asked.withClicks(of: request.app, on: connection)
        let scan = ChangedTimelines.scan(TimelineSettings(query, app: request.app), since: since)
        try withoutActuallyEscaping({ row in try connection.copyOut(scan.copyOut, row) }) { rows in
            try write(TimelineScan(rows: rows), tellsDeleted: true)
        }
    }

    /// Writes the rows of all people of a source.
    ///
    /// - Parameter tellsDeleted: whether a person without rows gets a row that says so.
    static func write(
        _ export: any TimelineExport,
        _ request: ExportRequest,
        of source: some TimelineSource,
        tellsDeleted: Bool,
        through rows: inout ExportRowWriter,
        to sink: inout some ExportSink
    ) throws {
        source.dictionary.currency = request.app.profile.currency
        let run = ReportRun(
            range: request.range,
            zone: request.zone,
            now: request.now,
            currency: request.app.profile.currency,
            dictionary: source.dictionary
        )
        func makeMatcher() -> PeopleMatcher? {
            request.conditions.isEmpty
                ? nil : PeopleMatcher(request.conditions, run.dictionary, until: [request.range.to])
        }
        var matcher = makeMatcher()
        try source.forEachPerson { person in
            let before = rows.rowCount
            if matcher?.ranges(of: person).contains(.own) ?? true {
                try export.write(person, run, to: &rows) { try handOn(&$0, to: &sink) }
            }
            if tellsDeleted, person.isPerson, rows.rowCount == before {
                rows.beginRow()
                rows.person(person)
                rows.endPersonRow(isDeleted: true)
            }
            if run.dictionary.size > dictionaryLimit {
                run.dictionary.removeAll()
                // Its codes have lost their meaning.
                matcher = makeMatcher()
            }
            try handOn(&rows, to: &sink)
        }
    }
}
