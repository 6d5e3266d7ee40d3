package import Postgres
package import Storage
import Text
import Timelines

extension ReportRequest {
    /// Whether the request asks for the people behind a figure (``PeopleRunner``) and not for the figures.
    package var listsPeople: Bool { people != nil }
}

/// Lists the people behind a figure.
///
/// One connection reads the timelines, and then the ids of those who are listed, all in one snapshot. Memory does not
/// grow with the number of people, save by those of one row whose first event is at the same instant.
package enum PeopleRunner {
    /// The bytes of texts that the one connection may read.
    private static let textLimit = 2 * AnswerSize.held

    /// Writes the list of all events committed before the call.
    ///
    /// - Parameter sink: gets the text piece by piece, on the connection's thread.
    /// - Returns: the sink after the last piece, and what a reader must know beside the list.
    /// - Throws: `PostgresError`, of kind `cancelled` if the task is cancelled; `TimelineError`; errors of the sink.
    package static func run<Sink: ExportSink & Sendable>(
        _ request: ReportRequest,
        as format: ReportFormat,
        on pool: PostgresPool,
        to sink: Sink
    ) async throws -> (sink: Sink, notes: PeopleNotes) {
        // Before the snapshot is taken: see `StandbyPosition.read`.
        let (standby, request) = try await pool.withConnection { connection in
            (try StandbyPosition.read(connection), try [request].readingApp(on: connection)[0])
        }
        let warnings = try await ReportRunner.warnings(of: [request], on: pool, ScanSharing(connections: 1))[0]
        return try await pool.withConnection { connection in
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                var sink = sink
                let all = try write(request, as: format, warnings: warnings, on: connection, to: &sink)
                return (sink, PeopleNotes(warnings: all, standby: standby))
            }
        }
    }

    /// The list as a table, for one that is short.
    package static func table(_ request: ReportRequest, on pool: PostgresPool) async throws -> ReportTable {
        try await pool.withConnection { connection in
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                try table([request].readingApp(on: connection)[0], on: connection)
            }
        }
    }

    /// Makes the list inside the caller's transaction, which must be `repeatableRead`.
    ///
    /// - Parameters:
    ///   - begin: is called before the first row, with a warning of a group that the report does not have.
    ///   - body: gets the rows, some thousand at once.
    /// - Throws: `PostgresError`; `TimelineError`; what `begin` and `body` throw.
    static func forEachRows(
        of request: ReportRequest,
        on connection: isolated PostgresConnection,
        begin: (ReportWarning?) throws -> Void,
        _ body: ([[ReportCell]]) throws -> Void
    ) throws {
        guard let question = request.people, let report = request.report as? any PeopleReport else { return }
        let read = Result { try Self.evidence(of: question.figure, report, request, on: connection) }
        var (evidence, rows) = try read.mapError { request.size.told($0, textLimit: textLimit) }.get()
        let range = AppRange(app: request.app, range: request.counted, zone: request.zone)
        try ScanPlanning.byIndex.apply(on: connection)
        rows = try report.named(rows, of: range, on: connection)
        var list = try PeopleList(evidence, of: rows, in: request.app, for: question)
        // Its memory and its file are needed no more.
        evidence = PeopleEvidence(of: question.figure)
        try begin(list.hasGroup ? nil : ReportWarning(unknownGroup: question.group ?? "", among: rows.map(\.name)))
        while true {
            let next = try list.nextRows(on: connection)
            if next.isEmpty { return }
            try body(next)
        }
    }

    private static func evidence<R: PeopleReport>(
        of figure: PeopleFigure,
        _ report: R,
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> (PeopleEvidence, [PeopleRow]) {
        var query = request.query
        query.postLimit = AnswerSize.held
        query.textLimit = textLimit
        let texts = TimelineDictionary.makeSharedTexts()
        guard let packed = try PackedSnapshot.read(query, app: request.app, texts: texts, on: connection) else {
            return try TimelineScan.read(query, app: request.app, on: connection) { source in
                try evidence(of: figure, report, request, source.dictionary) { try source.forEachPerson($0) }
            }
        }
        let scan = ParallelScan(ScanSharing(connections: 1))
        scan.begin(packed, exportedAs: nil)
        var reader = PackedReader(try scan.plan(of: packed, on: connection))
        defer { reader.deallocate() }
        return try evidence(of: figure, report, request, reader.dictionary) { try reader.readAll(on: connection, $0) }
    }

    /// - Parameter forEachPerson: hands out all people.
    static func evidence<R: PeopleReport>(
        of figure: PeopleFigure,
        _ report: R,
        _ request: ReportRequest,
        _ dictionary: TimelineDictionary,
        _ forEachPerson: ((borrowing PersonTimeline) throws -> Void) throws -> Void
    ) throws -> (PeopleEvidence, [PeopleRow]) {
        let run = request.run(dictionary: dictionary)
        let fold = report.makeFold(run)
        guard !request.conditions.isEmpty else {
            return try Self.evidence(of: figure, fold, request, run, forEachPerson)
        }
        let matcher = PeopleMatcher(request.conditions, dictionary, until: request.ends)
        return try Self.evidence(of: figure, FilteredFold(fold, matcher), request, run, forEachPerson)
    }

    private static func evidence(
        of figure: PeopleFigure,
        _ fold: some PeopleFold,
        _ request: ReportRequest,
        _ run: ReportRun,
        _ forEachPerson: ((borrowing PersonTimeline) throws -> Void) throws -> Void
    ) throws -> (PeopleEvidence, [PeopleRow]) {
        var fold = fold
        var evidence = PeopleEvidence(of: figure)
        var checks = SizeChecks()
        try forEachPerson { person in
            fold.add(person, telling: &evidence)
            evidence.end(person, in: request.range)
            guard checks.areDue(after: person) else { return }
            // A row is made of each group.
            try run.size.check(run.dictionary, ofAll: 2 * (fold.size + evidence.size))
        }
        try run.size.check(run.dictionary, ofAll: 2 * (fold.size + evidence.size), growing: false)
        let countries = run.dictionary[.country]
        evidence.countries = (0..<countries.count).map { countries.text(of: Code(rawValue: Int32($0))) }
        return (evidence, try fold.peopleRows())
    }

    /// Writes the list.
    ///
    /// A table is aligned, so its rows are held in memory; CSV and JSON are not.
    ///
    /// - Parameter warnings: those that are known before the list is.
    /// - Returns: all warnings.
    static func write(
        _ request: ReportRequest,
        as format: ReportFormat,
        warnings: [ReportWarning] = [],
        on connection: isolated PostgresConnection,
        to sink: inout some ExportSink
    ) throws -> [ReportWarning] {
        var result = ReportResult(request: request, table: ReportTable(columns: PeopleQuestion.columns, rows: []))
        result.warnings = warnings
        var count = 0
        func hand(_ text: String) throws {
            var text = text
            try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0), rows: count) }
        }
        try forEachRows(of: request, on: connection) { warning in
            // Of a ref that no event has, a warning says that already.
            if let warning, !warnings.contains(where: { $0.parameter == warning.parameter }) {
                result.warnings.append(warning)
            }
            if format != .table { try hand(result.beginning(as: format)) }
        } _: { rows in
            count += rows.count
            if format == .table {
                result.table.rows += rows
            } else {
                try hand(result.text(of: rows, as: format, isFirst: count == rows.count))
            }
        }
        try hand(format == .table ? result.text(as: .table) : result.end(as: format, hasRows: count > 0))
        return result.warnings
    }

    /// The same inside the caller's transaction, which must be `repeatableRead`.
    static func table(
        _ request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable {
        var table = ReportTable(columns: PeopleQuestion.columns, rows: [])
        try forEachRows(of: request, on: connection, begin: { _ in }) { table.rows += $0 }
        return table
    }
}

/// What a reader of a list of people must know beside it.
package struct PeopleNotes: Sendable {
    package var warnings: [ReportWarning]
    /// What the list contains at least, if a standby answered.
    package var standby: StandbyPosition?
}
