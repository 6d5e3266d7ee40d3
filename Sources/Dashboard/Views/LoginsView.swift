import Reporting

/// How logins end, and with which errors.
extension ReportPage {
    static func logins(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let grouping = request["by"] ?? "none"
        let figures = try await request.figures("logins", request.own)
        let all = figures.rows.filter { grouping == "none" || $0.text("group") == "total" }
        let total = all.last
        let granted = all.first { $0.text("outcome") == "granted" }
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [.choice("By", "by", Choice.list(request.choices("by", of: "logins"), chosen: grouping))]
        )
        page.cards = [
            Card("Logins", "attempts", of: total, meaning: "Attempts to log in"),
            Card("People", "people", of: total, meaning: "Distinct people who tried to log in"),
            Card(
                "Granted",
                "share",
                of: granted,
                meaning: "Of all attempts, those that ended in a login",
                text: { NumberText.percent($0) }
            ),
            Card(
                "People who got in",
                "people",
                of: granted,
                meaning: "Distinct people with a granted login"
            ),
        ].map { card in figures.unmet.map(card.refused) ?? card }
        var panel = Panel(
            anchor: "outcomes",
            heading: "How logins end",
            explanation:
                "Attempts by outcome and Facebook's error. Somebody who cancelled and tried again is in two rows."
        )
        panel.drawBars(
            request,
            all.filter { $0.text("outcome") != "total" },
            names: ["outcome", "error_code"],
            column: "attempts",
            of: "outcomes"
        ) { row in
            NumberText.grouped(row.number("attempts"))
                + (row["share"].number.map { " · " + NumberText.percent($0) } ?? "")
        }
        if panel.bars.isEmpty { panel.emptiness = "No logins in these days." }
        panel.tables = [
            TableView(
                figures,
                caption: "Logins",
                address: request.address("logins", request.own),
                isShown: true,
                drills: [request.drill(grouping, in: "group")]
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
