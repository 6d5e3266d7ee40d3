import Reporting

extension Panel {
    /// The reports that ``byPeriod(_:_:_:group:series:)`` asks for.
    static func periodAddresses(
        _ request: ViewRequest,
        _ report: String,
        _ own: [(name: String, value: String)]
    ) -> [ReportAddress] {
        let before = request.span.previousPeriods(timeZone: request.timeZone)
        return [request.span, before].compactMap(\.self).map {
            request.address(report, periodParameters(request, own), of: $0)
        }
    }

    private static func periodParameters(
        _ request: ViewRequest,
        _ own: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        own + [("by", request.span.period)]
    }

    /// A report's totals by day, week or month, beside those of the same periods before.
    ///
    /// - Parameters:
    ///   - group: the column whose `total` is drawn.
    ///   - series: the columns that are drawn, with their names.
    static func byPeriod(
        _ request: ViewRequest,
        _ report: String,
        _ own: [(name: String, value: String)] = [],
        group: String,
        series: [(name: String, column: String)]
    ) async throws(DashboardFailure) -> Panel {
        let span = request.span
        let parameters = periodParameters(request, own)
        let figures = try await request.figures(report, parameters, limit: 1).totals(named: group)
        if figures.unmet != nil {
            return Panel(anchor: "periods", heading: "By \(span.period)").refused(figures.unmet)
        }
        let before = span.previousPeriods(timeZone: request.timeZone)
        var previous: ReportRows?
        if let before {
            let figures = try await request.figures(report, parameters, of: before, limit: 1)
            if figures.incomparability == nil { previous = figures.totals(named: group) }
        }
        let periods = ChartPeriods(
            figures.rows.map { $0.text("period") },
            in: span,
            today: request.today,
            noted: request.noted
        )
        let chart = PeriodChart.drawing(
            periods,
            series: series.enumerated().map { position, one in
                PeriodChart.Series(
                    name: one.name,
                    cssClass: "series-\(position)",
                    values: figures.rows.map { $0.number(one.column) },
                    previous: previous?.rows.map { $0.number(one.column) } ?? []
                )
            }
        )
        var panel = Panel(anchor: "periods", heading: "By \(span.period)", chart: chart)
        panel.footnotes = periods.notes
        panel.tables = [
            TableView(
                figures,
                caption: "Total by \(span.period)",
                address: request.address(report, parameters),
                remark: { periods.remark($0.text("period")) },
                drills: [request.drillDays(of: span.period)]
            )
        ]
        if let before, let previous {
            panel.footnotes.append("The thin line: \(before.words), the range before.")
            panel.tables.append(
                TableView(
                    previous,
                    caption: "The range before by \(span.period)",
                    address: request.address(report, parameters, of: before)
                )
            )
        }
        return panel
    }
}
