import Reporting

/// Who comes back, as a heat map.
extension ReportPage {
    static func retention(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let length = request["period"] ?? "week"
        let own: [(name: String, value: String)] =
            [("period", length)] + request.given.filter { $0.name != "period" }
        let figures = try await request.figures("retention", own)
        // The cohorts of all groups together.
        let all = figures.rows.filter { $0.text("group") == "total" && $0.text("cohort") != "total" }
        // Rates of a few percent are usual: the darkest shade is the highest rate there is.
        let highest = all.compactMap { $0["rate"].number }.max() ?? 0
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [
                .choice("Cohorts by", "period", Choice.list(["day", "week", "month"], chosen: length)),
                .text("Periods", "periods", request["periods"] ?? "8", size: 3),
            ]
        )
        var panel = Panel(
            anchor: "heat",
            heading: "Who comes back",
            explanation: "People whose first touch ever lies in these days, and the share of them with any event in "
                + "the periods after it. The darkest shade is \(NumberText.percent(highest))."
        )
        panel.heat = heatMap(all, length: length, scale: highest, today: request.today)
        if all.isEmpty { panel.emptiness = "Nobody came for the first time in these days." }
        panel.tables = [TableView(figures, caption: "Retention", csv: request.csv("retention", own))]
        page.panels = [panel]
        return page
    }

    /// - Returns: nil if there is no cohort.
    private static func heatMap(_ rows: [ReportRows.Row], length: String, scale: Double, today: String) -> HeatMap? {
        var cohorts: [String: [Int: ReportRows.Row]] = [:]
        for row in rows { cohorts[row.text("cohort"), default: [:]][Int(row.number("period"))] = row }
        guard !cohorts.isEmpty else { return nil }
        let numbers = Set(cohorts.values.flatMap(\.keys)).sorted()
        return HeatMap(
            event: "first touch",
            periods: numbers.map { "\(length) \($0)" },
            rows: cohorts.sorted { $0.key < $1.key }.map { cohort, rows in
                HeatMap.Row(
                    cohort: cohort,
                    people: NumberText.grouped(rows.values.first?.number("people") ?? 0),
                    cells: numbers.map { number in
                        // A period that is not over would look like one in which nobody came back.
                        guard end(of: number, after: cohort, length: length) <= today, let row = rows[number],
                            let rate = row["rate"].number
                        else { return .none("not over yet") }
                        let counts = [row.number("retained"), row.number("people")].map { NumberText.grouped($0) }
                        return HeatMap.Cell(rate, scale: scale, hint: "\(counts[0]) of \(counts[1])")
                    }
                )
            }
        )
    }

    /// The first date after the n-th period after a cohort's own.
    private static func end(of number: Int, after cohort: String, length: String) -> String {
        (0...number).reduce(cohort) { date, _ in DateSpan.end(of: length, from: date) }
    }
}
