import Reporting

/// How many people are active, and whether they are new, come back, or are gone.
extension ReportPage {
    /// How many groups are drawn beside all people.
    private static let drawnGroups = 4
    private static let parts = [
        (column: "new", meaning: "active for the first time ever"),
        (column: "returning", meaning: "active in the period before, too"),
        (column: "resurrected", meaning: "active earlier, but not in the period before"),
        (column: "dormant", meaning: "active in the period before, and not in this one"),
    ]

    static func activity(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        // By day, most people of a week seem to be gone.
        let days = request.span.dayCount
        let length = request["period"] ?? (days <= 14 ? "day" : days <= 700 ? "week" : "month")
        let grouping = request["by"] ?? "none"
        let takesFirst = try request.isOn("first")
        let own =
            [(name: "period", value: length), (name: "by", value: grouping)] + (takesFirst ? [("first", "on")] : [])
        let figures = try await request.figures("activity", own)
        let total = figures.rows.filter { $0.text("group") == "total" }
        let periods = ChartPeriods(
            total.map { $0.text("period") },
            of: length,
            in: request.span,
            today: request.today,
            noted: request.noted
        )
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            [
                .choice("Each", "period", Choice.list(["day", "week", "month"], chosen: length)),
                .choice("By", "by", Choice.list(request.choices("by", of: "activity"), chosen: grouping)),
                .either(
                    "of",
                    "first",
                    off: "the touches of the \(length)",
                    on: "the first touch ever",
                    isOn: takesFirst
                ),
            ]
        )
        let last = periods.states.lastIndex(of: .whole)
        let reason = last.flatMap { incomparability(of: $0, in: figures, periods) }
        page.cards = cards(total, periods, isCompared: reason == nil)
            .map { card in figures.unmet.map(card.refused) ?? card }
        page.comparison = last.map {
            "The tiles are of the last \(length) that is over, \(periods.name($0))"
                + (reason.map { ". \(sentence($0))" } ?? "; their changes are against the \(length) before.")
        }
        page.panels = [
            people(request, figures, total, periods, own, grouping: grouping, takesFirst: takesFirst)
                .refused(figures.unmet)
        ]
        if length == "day", figures.unmet == nil { page.panels.append(stickiness(total, periods)) }
        return page
    }

    /// Why a period has no change against the one before; nil if it has.
    private static func incomparability(of position: Int, in figures: ReportRows, _ periods: ChartPeriods) -> String? {
        guard position > 0, periods.states[position - 1] == .whole else {
            return "no comparison: these days do not have all of the \(periods.length) before"
        }
        return figures.incomparability(from: periods.starts[position - 1])
    }

    /// The figures of the last period that is over.
    private static func cards(_ total: [ReportRows.Row], _ periods: ChartPeriods, isCompared: Bool) -> [Card] {
        let position = periods.states.lastIndex(of: .whole)
        let row = position.map { total[$0] }
        let before = isCompared ? position.map { total[$0 - 1] } : nil
        let name = position.map(periods.name) ?? "no \(periods.length) is over"
        func card(_ column: String, _ meaning: String) -> Card {
            var card = Card(
                column.prefix(1).uppercased() + column.dropFirst(),
                column,
                of: row,
                before: before?.number(column),
                meaning: "\(name): \(meaning)"
            )
            // More people who are gone are no success.
            if column == "dormant" { card.direction = "same" }
            return card
        }
        return [card("active", "people who did something")] + parts.map { card($0.column, $0.meaning) } + [
            Card(
                "Stickiness",
                "stickiness",
                of: row,
                note: "of a month’s people",
                meaning: "\(name): people of the day, of those of the 30 days that end with it",
                text: { NumberText.percent($0) }
            )
        ]
    }

    private static func people(
        _ request: ViewRequest,
        _ figures: ReportRows,
        _ total: [ReportRows.Row],
        _ periods: ChartPeriods,
        _ own: [(name: String, value: String)],
        grouping: String,
        takesFirst: Bool
    ) -> Panel {
        let length = periods.length
        func drawing(_ rows: [ReportRows.Row], isSmall: Bool, title: String) -> String {
            // A group without anybody in a period has no row there.
            let byStart = Dictionary(rows.map { ($0.text("period"), $0) }, uniquingKeysWith: { first, _ in first })
            let drawn = parts.enumerated().map { position, part in
                ActivityChart.Part(
                    name: part.column,
                    cssClass: "part-\(position)",
                    values: periods.starts.map { byStart[$0]?.number(part.column) ?? 0 }
                )
            }
            return ActivityChart.drawing(
                periods,
                active: Array(drawn.dropLast()),
                gone: drawn[drawn.count - 1],
                isSmall: isSmall,
                title: title
            )
        }
        var sums: [String: Double] = [:]
        for row in figures.rows { sums[row.text("group"), default: 0] += row.number("active") }
        let groups = sums.filter { $0.key != "total" && $0.value > 0 }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
        var panel = Panel(
            anchor: "activity",
            heading: "Active people by \(length)",
            explanation: "A person is active with a tap, an open, an install, a login, a conversion or a post. "
                + "Above the axis: who was active. Below it: who was active in the \(length) before, and is gone."
        )
        if grouping != "none" || !request.filters.isEmpty {
            panel.explanation? +=
                takesFirst
                ? " A group has the people whose first touch ever was of it."
                : " A group has the people with a touch of it in the \(length); (none), those without a touch."
        }
        if total.allSatisfy({ $0.number("active") == 0 && $0.number("dormant") == 0 }) {
            panel.emptiness = "Nobody was active in these days."
        } else {
            panel.legend = parts.enumerated().map { position, part in
                Panel.Swatch(cssClass: "part-\(position)", word: part.column, meaning: part.meaning)
            }
            panel.chart = drawing(total, isSmall: false, title: "Active people by \(length)")
            panel.pictures = Panel.More.drawn(groups, request, usually: drawnGroups).map { group in
                let rows = figures.rows.filter { $0.text("group") == group }
                return Panel.Picture(name: group, drawing: drawing(rows, isSmall: true, title: group))
            }
            if !panel.pictures.isEmpty { panel.explanation? += " Each picture of a group has a scale of its own." }
            panel.more = Panel.More(request, names: groups, usually: drawnGroups, of: "groups", by: "active people")
            panel.footnotes = periods.notes(drawn: "Pale")
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Activity",
                address: request.address("activity", own),
                remark: { periods.remark($0.text("period")) },
                drills: [request.drillDays(of: length), request.drill(grouping, in: "group")],
                group: grouping
            )
        ]
        return panel
    }

    private static func stickiness(_ total: [ReportRows.Row], _ periods: ChartPeriods) -> Panel {
        let unknown = total.prefix { $0["stickiness"] == .empty }.count
        return Panel(
            anchor: "stickiness",
            heading: "Stickiness",
            explanation: "People who are active on a day, of those who are in the 30 days that end with it: 100 % if "
                + "everybody came every day.",
            emptiness: unknown < total.count ? nil : "There is no figure until the app has 30 days.",
            chart: unknown == total.count
                ? nil
                : PeriodChart.drawing(
                    periods,
                    series: [
                        PeriodChart.Series(
                            name: "Stickiness",
                            cssClass: "series-0",
                            values: total.map { $0.number("stickiness") },
                            unknown: unknown,
                            isRate: true
                        )
                    ]
                ),
            footnotes: periods.notes
        )
    }
}
