import Reporting

/// A report's totals by day, week or month, beside those of the same periods before.
struct PeriodFigures {
    let periods: ChartPeriods
    private let figures: ReportRows
    /// Nil if nothing can be compared with them.
    private let previous: ReportRows?
    private let request: ViewRequest
    private let report: String
    private let parameters: [(name: String, value: String)]

    /// The reports that a page with these figures reads together with its others.
    static func addresses(
        _ request: ViewRequest,
        _ report: String,
        _ own: [(name: String, value: String)]
    ) -> [ReportAddress] {
        [request.span, before(request)].compactMap(\.self).map {
            request.address(report, own + [("by", request.span.period)], of: $0)
        }
    }

    /// - Parameter group: the column whose `total` counts.
    init(
        _ request: ViewRequest,
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        group: String
    ) async throws(DashboardFailure) {
        (self.request, self.report) = (request, report)
        parameters = own + [("by", request.span.period)]
        figures = try await request.figures(report, parameters, limit: 1).totals(named: group)
        var previous: ReportRows?
        if let before = Self.before(request), figures.unmet == nil {
            let figures = try await request.figures(report, parameters, of: before, limit: 1)
            if figures.incomparability == nil { previous = figures.totals(named: group) }
        }
        self.previous = previous
        periods = ChartPeriods(
            figures.rows.map { $0.text("period") },
            in: request.span,
            today: request.today,
            noted: request.noted
        )
    }

    private static func before(_ request: ViewRequest) -> DateSpan? {
        request.span.previousPeriods(timeZone: request.timeZone)
    }

    /// A figure of the periods that are over, each beside that of the same weekday before.
    func pairs(_ column: String) -> [(now: Double, before: Double)] {
        guard let previous else { return [] }
        // The range before is as many days earlier as it has, which need not be whole weeks.
        let shift = periods.length == "day" ? (7 - previous.rows.count % 7) % 7 : 0
        return periods.states.indices.compactMap { position in
            let earlier = position - shift
            guard periods.states[position] == .whole, previous.rows.indices.contains(earlier) else { return nil }
            return (figures.rows[position].number(column), previous.rows[earlier].number(column))
        }
    }

    /// Whether a test of any count tells nothing, because too few of the periods have one before to stand beside.
    var areTooFewToTest: Bool { previous != nil && pairs("touches").count < ChangeTest.fewestPairs }

    /// - Parameter series: the columns that are drawn, with their names.
    func panel(_ series: [(name: String, column: String)]) -> Panel {
        let length = periods.length
        let heading = series.count == 1 ? "\(series[0].name) by \(length)" : "By \(length)"
        if figures.unmet != nil { return Panel(anchor: "periods", heading: heading).refused(figures.unmet) }
        let chart = PeriodChart.drawing(
            periods,
            series: series.enumerated().map { position, one in
                let column = figures.columns.first { $0.name == one.column }
                return PeriodChart.Series(
                    name: one.name,
                    cssClass: "series-\(position)",
                    values: figures.rows.map { $0.number(one.column) },
                    previous: previous?.rows.map { $0.number(one.column) } ?? [],
                    isRate: column?.kind == .rate,
                    addsUp: column?.unit != "people"
                )
            }
        )
        var panel = Panel(anchor: "periods", heading: heading, chart: chart)
        panel.footnotes = periods.notes
        panel.tables = [
            TableView(
                figures,
                caption: "Total by \(length)",
                address: request.address(report, parameters),
                remark: { periods.remark($0.text("period")) },
                drills: [request.drillDays(of: length)]
            )
        ]
        if let before = Self.before(request), let previous {
            panel.footnotes.append("The thin line: \(before.words), the range before.")
            panel.tables.append(
                TableView(
                    previous,
                    caption: "The range before by \(length)",
                    address: request.address(report, parameters, of: before)
                )
            )
        }
        return panel
    }
}
