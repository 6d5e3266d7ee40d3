import Time
import Timelines

/// A report that is one table about one funnel.
protocol FunnelTableReport: Report {
    var funnel: Funnel { get }
    var table: FunnelTable { get }
}

extension FunnelTableReport {
    var columns: [ReportColumn] { table.columns }
    var methods: [StatisticalMethod] { table.methods }

    var rowPeriods: RowPeriods? {
        guard let position = funnel.groupings.firstIndex(of: .day) else { return nil }
        return RowPeriods(column: 0, length: .day, isLast: position > 0)
    }

    static var comparesItself: Bool { true }

    static var completeColumn: ReportColumn? { ReportColumn.complete.only("with `--by day`") }

    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { funnel.matureEnd(at: now) }

    var namedValues: [NamedValue] { funnel.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        table.query(of: funnel, in: range)
    }

    func makeFold(_ run: ReportRun) -> FunnelTableFold {
        FunnelTableFold(table, funnel, run)
    }
}
