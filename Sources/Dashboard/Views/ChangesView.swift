import Reporting

/// What changed since the range before, and which groups carry the change.
extension ReportPage {
    static func changes(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let exploring = Exploring(request, by: request["by"] ?? "channel")
        let keys = exploring.keys
        let metric = request["metric"] ?? "installs"
        let own =
            [(name: "metric", value: metric), ("by", keys.joined(separator: ","))]
            + request.own.filter { $0.name == "limit" }
        let span = request.spanUpToNow
        let figures = try await request.figures("changes", own, of: span, areMain: true)
        var page = ReportPage()
        page.form = exploring.form(
            OptionsForm(
                request,
                keeping: [View.groupsField],
                [
                    .choice(
                        "Change of",
                        "metric",
                        Choice.list(request.choices("metric", of: "changes"), chosen: metric)
                    ),
                    .text("Rows", "limit", request["limit"] ?? "50", size: 4),
                ]
            )
        )
        page.comparison = request.before.map { before in
            figures.incomparability.map(Self.sentence) ?? "The range before has as many days (\(before.words))."
        }
        let total = keys.first.flatMap(figures.total(named:))
        let isRate = figures.columns.contains { $0.name == "change" && $0.kind == .rate }
        /// What a row adds to the change of all.
        func contribution(_ row: ReportRows.Row) -> Double? {
            guard isRate else { return row["change"].number }
            return row["rate_effect"].number.map { $0 + row.number("mix_effect") }
        }
        func signed(_ number: Double) -> String {
            let text = NumberText.grouped(isRate ? number * 100 : number, fixed: isRate)
            return (number > 0 && text != "0.00" ? "+" : "") + text + (isRate ? " points" : "")
        }
        func words(_ row: ReportRows.Row) -> String {
            let change = contribution(row).map(signed) ?? ""
            let share = row["share_of_change"].number.map { "\(NumberText.percent($0)) of the change" }
            let isOthers = row.text(keys.first ?? "") == "(others)"
            let verdict = isOthers ? nil : Verdict(pValue: row["p_value"].number).rawValue
            guard isRate else { return [change, share, verdict].compactMap(\.self).joined(separator: " · ") }
            // What is tested is the row's own rate.
            let rate = "\(signed(row.number("rate_effect"))) by its rate" + (verdict.map { " (\($0))" } ?? "")
            let mix = "\(signed(row.number("mix_effect"))) by its share"
            return [change, rate, mix, share].compactMap(\.self).joined(separator: " · ")
        }
        var panel = Panel(
            anchor: "changes",
            heading: "What carries the change of \(Choice.words(metric))",
            explanation:
                "The longest bars contribute most, in either direction; all rows together are the change. "
                + (isRate
                    ? "By its rate: its people do better or worse. By its share: there are more or fewer of them. "
                    : "") + "Click on a row to see it alone."
        )
        let rows = figures.rows.filter { row in keys.first.map { row.text($0) != "total" } ?? true }
        panel.drawBars(
            request,
            rows,
            names: keys,
            column: "change",
            value: { abs(contribution($0) ?? 0) },
            of: "rows",
            drill: request.drill(all: keys),
            figure: words
        )
        if let total, let change = total["change"].number {
            panel.footnotes = [
                "All together: \(signed(change)), \(Verdict(pValue: total["p_value"].number).rawValue)."
            ]
        }
        if panel.bars.isEmpty {
            let isCompared = figures.incomparability == nil
            panel.emptiness =
                isCompared
                ? "Nothing in these days differs from the range before." : "There is no range before to compare with."
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Changes",
                address: request.address("changes", own, of: span),
                isShown: true,
                drills: keys.map { request.drill($0) }
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
