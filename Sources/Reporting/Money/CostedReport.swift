import Postgres
import Storage
import Time
import Timelines

/// A report whose rows may have costs (docs/money.md).
protocol CostedReport: Report {
    /// What the rows are of: one kind; all, if costs of every kind count together; none, if its rows have no costs.
    var costKinds: [Cost.Kind] { get }
    /// Which rows there are.
    var costFilter: EventFilter { get }
    /// The columns that costs add.
    var costColumns: [ReportColumn] { get }

    /// The rows of one of the request's ranges, with these columns.
    func costed(
        _ rows: [[ReportCell]],
        with costs: CostTable,
        in range: ReportRange,
        of request: ReportRequest
    ) -> [[ReportCell]]
}

extension CostedReport {
    var costColumns: [ReportColumn] { costKinds.isEmpty ? [] : ReportColumn.costs }

    func costed(
        _ rows: [[ReportCell]],
        with costs: CostTable,
        in range: ReportRange,
        of request: ReportRequest
    ) -> [[ReportCell]] {
        costs.added(to: rows, columns, periods(of: range, request.zone))
    }

    /// What the parts of the table of a range are about.
    fileprivate func periods(of range: ReportRange, _ zone: ReportTimeZone) -> ReportPeriods {
        ReportPeriods((self as? any PeriodReport)?.period.length, in: range, zone)
    }
}

extension ReportColumn {
    /// What costs add to a report that names its rows by what they are of.
    static let costs = [
        decimal(
            "cost",
            unit: currency,
            "What the row cost on days of the range: those of the app's time zone that begin in it. In `total`, all costs of what the report's rows are of."
        ),
        ratio("cost_per_install", unit: "\(currency) per install", "`cost` ÷ `installs`."),
        ratio("cost_per_conversion", unit: "\(currency) per conversion", "`cost` ÷ `conversions`."),
        ratio("return", unit: "value per cost", "`value` ÷ `cost`."),
    ].map { $0.only("where the app has costs in the range") }
}

extension BreakdownReport: CostedReport {
    static func costKinds(of keys: [BreakdownKey]) -> [Cost.Kind] {
        keys.count == 1 ? keys[0].grouping?.costKinds ?? [] : []
    }

    var costKinds: [Cost.Kind] { Self.costKinds(of: keys) }
    var costFilter: EventFilter { lastTouch.filter }
}

extension ChannelsReport: CostedReport {
    var costKinds: [Cost.Kind] { [.channel] }
    var costFilter: EventFilter { lastTouch.filter }
}

extension LinksReport: CostedReport {
    var costKinds: [Cost.Kind] { [.link] }
    var costFilter: EventFilter { lastTouch.filter }
}

extension RefsReport: CostedReport {
    var costKinds: [Cost.Kind] { [.ref] }
    var costFilter: EventFilter { lastTouch.filter }
}

extension RetentionReport: CostedReport {
    static let paybackColumn = ReportColumn.integer(
        "payback_days",
        unit: "days",
        "After how many days the group had paid for itself: the first of these periods whose `cumulative_value` reaches the cost of the days on which its `people` came, in days (a week has 7, a month 30). Empty while it has not, and without a cost."
    ).only("with `--pooled`, where the app has costs in the range")

    var costKinds: [Cost.Kind] {
        guard isPooled else { return [] }
        return grouping == .none ? Cost.Kind.allCases : grouping.costKinds
    }
    var costFilter: EventFilter { filter }
    var costColumns: [ReportColumn] { costKinds.isEmpty ? [] : [Self.paybackColumn] }

    func costed(
        _ rows: [[ReportCell]],
        with costs: CostTable,
        in range: ReportRange,
        of request: ReportRequest
    ) -> [[ReportCell]] {
        // Values are of people for whom the last period is over, so the cost is that of the days on which they came.
        let current = period.number(of: request.zone.day(of: request.now))
        let sums = costs.sums { start in
            range.contains(start) && period.number(of: request.zone.day(of: start)) + periods < current
        }
        func name(_ row: [ReportCell]) -> [UInt8] { Array((row[1].plainText ?? "").utf8) }
        let shown = Set(rows.map(name))
        var paid: [[UInt8]: ReportCell] = [:]
        for row in rows where paid[name(row)] == nil {
            let cost: Int128? =
                switch row[1].plainText {
                case ReportNames.total: sums.values.reduce(0, +)
                case ReportNames.others: sums.reduce(0) { shown.contains($1.key) ? $0 : $0 + $1.value }
                default: sums[name(row)]
                }
            guard let cost, cost > 0, case .integer(let number) = row[2],
                case .decimal(let value) = row[7], value >= cost
            else { continue }
            let days = [CalendarPeriod.day: 1, .week: 7, .month: 30][period] ?? 1
            paid[name(row)] = .integer(number * Int64(days))
        }
        return rows.map { $0 + [paid[name($0)] ?? .empty] }
    }
}

extension EventGrouping {
    /// The costs of its values.
    fileprivate var costKinds: [Cost.Kind] { [Cost.Kind(rawValue: rawValue)].compactMap(\.self) }
}

extension ReportRequest {
    /// The columns of the report itself, and those of costs: if there are some, or if they are asked for by name.
    var ownColumns: [ReportColumn] {
        let added = (report as? any CostedReport)?.costColumns ?? []
        let isAsked = shownColumns.map { names in added.contains { names.contains($0.name) } } ?? false
        return report.columns + (costs?.isEmpty == false || isAsked ? added : [])
    }

    /// The costs of the request's ranges, if its rows can have some.
    func readCosts(on connection: isolated PostgresConnection) throws -> CostTable? {
        guard let report = report as? any CostedReport, !report.costKinds.isEmpty, people == nil else { return nil }
        var costs = try CostTable(
            of: report.costKinds,
            in: ReportRange(from: besideRange?.from ?? counted.from, to: counted.to),
            of: app,
            keeping: report.costFilter,
            rates: rates,
            on: connection
        )
        if !conditions.isEmpty { costs.leaveOutForSomePeople() }
        let size = AnswerSize(columns: ownColumns.count + report.costColumns.count, options: sizeOptions)
        for range in [counted, besideRange].compactMap(\.self) {
            try size.check(rows: costs.rows(in: report.periods(of: range, zone)))
        }
        return costs
    }

    /// The rows of one of the ranges with their costs.
    func costed(_ rows: [[ReportCell]], in range: ReportRange) -> [[ReportCell]] {
        guard let report = report as? any CostedReport, let costs, !costs.isEmpty else {
            let added = ownColumns.count - report.columns.count
            return added == 0 ? rows : rows.map { $0 + Array(repeating: .empty, count: added) }
        }
        return report.costed(rows, with: costs, in: range, of: self)
    }
}
