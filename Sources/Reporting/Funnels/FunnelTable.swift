import Time
import Timelines

/// The tables that a report about a funnel can show.
enum FunnelTable: Equatable, Sendable {
    /// One row for each step.
    case steps
    /// The same, beside the preceding range of the same length.
    case stepsBesidePrevious
    /// How long the steps take: one row for each step and bin of a histogram.
    case times

    /// - Throws: `ReportError.usage` if two tables are requested.
    init(reading reader: inout ParameterReader) throws(ReportError) {
        let comparesPrevious = try reader.option("compare-previous")
        let tellsTimes = try reader.option("times")
        guard !comparesPrevious || !tellsTimes else {
            throw .usage(
                message:
                    "\(parameter: "times") is a table of its own, without \(parameter: "compare-previous"): ask for one",
                field: "times",
                allowed: []
            )
        }
        self = comparesPrevious ? .stepsBesidePrevious : tellsTimes ? .times : .steps
    }

    func query(of funnel: Funnel, in range: ReportRange) -> TimelineQuery {
        funnel.query(in: range, startsEarlierBy: self == .stepsBesidePrevious ? range.longestPreceding : .zero)
    }
}

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
