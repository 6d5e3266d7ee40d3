import Reporting

/// Who brings whom, from one generation of people to the next.
extension ReportPage {
    static func generations(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let grouping = request["by"] ?? "none"
        let own = request.own
        let figures = try await request.figures("generations", own)
        let total = figures.total(named: "generation")
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            [
                .choice("By", "by", Choice.list(request.choices("by", of: "generations"), chosen: grouping)),
                .text("Generations", "depth", request["depth"] ?? "10", size: 3),
                .text("Below", "below", request["below"] ?? "", size: 12),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
            ]
        )
        if !Caller.seesPeople { page.form?.controls.removeAll { $0.field == "below" } }
        if figures.unmet == nil, total?.number("people") ?? 0 == 0 { page.firstEvent = FirstEvent(request, .post) }
        page.cards = [
            Card("People", "people", of: total, meaning: "People who installed for the first time in these days"),
            Card("Posters", "posters", of: total, meaning: "Those of them who posted in these days"),
            Card(
                "Invited",
                "invited",
                of: total,
                meaning: "Those of the people whose inviter installed in these days, too"
            ),
            Card(
                "Invited per person",
                "invited_per_person",
                of: total,
                note: "at least",
                meaning: "Inviter and invited both installed in these days, so it grows with their number: compare as "
                    + "many. Only installs that can be traced to a post count as invited",
                text: { NumberText.grouped($0) }
            ),
            Card(
                "Median time",
                "median_days",
                of: total,
                note: "to the first invited",
                meaning: "From a person's install to that of the first whom they invited",
                text: { NumberText.duration(seconds: $0 * 86_400) }
            ),
            Card(
                "Doubtful",
                "doubtful",
                of: total,
                meaning: "Installs that look made up: invited by themselves, on a device that another person "
                    + "installed on, too soon after the tap, or too many at once. They count as all others"
            ),
        ].map { card in figures.unmet.map(card.refused) ?? card }
        var panel = Panel(
            anchor: "generations",
            heading: "People by generation",
            explanation: request["below"].map {
                "Whom \($0) brought, whom those brought, and so on. What people did counts if it was in these days."
            } ?? "Generation 0: nobody is known to have invited them. Generation 1: somebody of generation 0 "
                + "posted what they came from, whenever that was; and so on. What people did counts if it was in these "
                + "days."
        )
        let groups = figures.rows.filter { row in
            row.text("generation") != "total" && (grouping == "none" || row.text("group") == "total")
        }
        panel.drawBars(
            request,
            groups,
            names: ["generation"],
            column: "people",
            keepsOrder: true,
            of: "generations with people"
        ) { row in
            "\(NumberText.grouped(row.number("people"))) · \(NumberText.grouped(row.number("invited"))) invited"
        }
        if panel.bars.isEmpty { panel.emptiness = "Nobody installed for the first time in these days." }
        let others =
            groups.filter { $0.text("generation") != "0" }.reduce(0) { $0 + $1.number("people") }
            - (total?.number("invited") ?? 0)
        if others > 0, request["below"] == nil {
            panel.footnotes = [
                "\(NumberText.grouped(others)) of these people were invited by somebody who is in no row: who never "
                    + "installed, or not in these days."
            ]
        }
        panel.tables = [
            TableView(figures, caption: "Generations", address: request.address("generations", own), isShown: true)
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
