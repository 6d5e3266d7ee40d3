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

    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { funnel.matureEnd(at: now) }

    var namedValues: [NamedValue] { funnel.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        table.query(of: funnel, in: range)
    }

    func makeFold(_ run: ReportRun) -> FunnelTableFold {
        FunnelTableFold(table, funnel, run)
    }
}
