import Postgres
import Time
import Timelines

/// A report beside the same report over the preceding range (docs/reports.md, *Beside the preceding range*). For every
/// report but funnels, which have columns of their own.
struct BesidePrevious<Base: Report>: Report {
    static var name: String { Base.name }
    static var summary: String { Base.summary }
    static var parameters: [ReportParameter] { Base.parameters }
    static var columns: [ReportColumn] { Base.columns }
    static var allColumns: [ReportColumn] { Base.allColumns }
    static var examples: [String] { Base.examples }

    let base: Base

    init(_ base: Base) {
        self.base = base
    }

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        base = try Base(reading: &parameters)
    }

    func check(_ range: ReportRange) throws(ReportError) { try base.check(range) }
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { base.matureEnd(at: now, in: zone) }

    var columns: [ReportColumn] { RowMatching.columns(of: base) }
    var rowPeriods: RowPeriods? { base.rowPeriods }
    static var completeColumn: ReportColumn? { Base.completeColumn }
    var methods: [StatisticalMethod] { base.methods }
    var namedValues: [NamedValue] { base.namedValues }

    func query(in range: ReportRange) -> TimelineQuery { base.query(in: range.withPreceding) }

    func makeFold(_ run: ReportRun) -> BesidePreviousFold<Base> { BesidePreviousFold(base, run) }
}

struct BesidePreviousFold<Base: Report>: ReportFold {
    /// Between the rows of the two ranges, if they are joined only after they are completed.
    fileprivate static var separator: [ReportCell] { [] }

    private let base: Base
    private let run: ReportRun
    private let previousRange: ReportRange
    private var current: Base.Fold
    private var previous: Base.Fold

    init(_ base: Base, _ run: ReportRun) {
        self.base = base
        self.run = run
        previousRange = run.previous ?? run.range.preceding(in: run.zone)
        current = base.makeFold(run)
        var before = run
        before.range = previousRange
        previous = base.makeFold(before)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        current.add(person)
        previous.add(person)
    }

    var otherCurrencies: [OtherCurrencies] { current.otherCurrencies + previous.otherCurrencies }

    mutating func merge(_ other: BesidePreviousFold) {
        current.merge(other.current)
        previous.merge(other.previous)
    }

    consuming func finish() throws -> [[ReportCell]] {
        let rows = try current.finish()
        let earlier = try previous.finish(beside: rows)
        if base is any CompletedReport || base is any AmendedReport { return rows + [Self.separator] + earlier }
        return RowMatching(base, run.range, previousRange, run.zone).joined(rows, earlier)
    }
}

extension BesidePrevious: CompletedReport where Base: CompletedReport {
    func completed(
        _ table: ReportTable,
        of request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable {
        try joined(table, of: request) { table, request in
            try base.completed(table, of: request, on: connection)
        }
    }
}

extension BesidePrevious: AmendedReport where Base: AmendedReport {
    func statements(of request: ReportRequest) -> [BoundStatement] {
        let earlier = request.previous.map { base.statements(of: request.over($0)) } ?? []
        return base.statements(of: request.over(request.counted)) + earlier
    }

    func amended(
        _ table: ReportTable,
        of request: ReportRequest,
        with answers: [[PostgresRow]]
    ) throws -> ReportTable {
        var rest = answers[...]
        return try joined(table, of: request) { table, request in
            let own = rest.prefix(base.statements(of: request).count)
            rest = rest.dropFirst(own.count)
            return try base.amended(table, of: request, with: Array(own))
        }
    }
}

extension BesidePrevious {
    /// Completes the table of each range, first of the later one, and joins them.
    private func joined(
        _ table: ReportTable,
        of request: ReportRequest,
        _ complete: (ReportTable, ReportRequest) throws -> ReportTable
    ) throws -> ReportTable {
        guard let previous = request.previous,
            let middle = table.rows.firstIndex(of: BesidePreviousFold<Base>.separator)
        else { return table }
        let tables = (
            ReportTable(columns: base.columns, rows: Array(table.rows[..<middle])),
            ReportTable(columns: base.columns, rows: Array(table.rows[(middle + 1)...]))
        )
        let rows = try complete(tables.0, request.over(request.counted)).rows
        let earlier = try complete(tables.1, request.over(previous)).rows
        let matching = RowMatching(base, request.counted, previous, request.zone)
        return ReportTable(columns: table.columns, rows: matching.joined(rows, earlier))
    }
}
