import Reporting

/// Whether people bring people, and how long that takes.
extension ReportPage {
    static func viral(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.given
        let figures = try await request.figures("viral", own)
        let total = figures.total(named: "group")
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [
                .choice(
                    "By",
                    "by",
                    Choice.list(ReportCatalogue.choices("by", of: "viral"), chosen: request["by"] ?? "ref")
                ),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
            ]
        )
        page.cards = [
            Card("Posts", "posts", of: total, meaning: "Feed posts in these days that were posted"),
            Card("Posters", "posters", of: total, meaning: "Distinct people who posted"),
            Card("Touches", "touches", of: total, meaning: "Touches that came from a known post"),
            Card("People", "people", of: total, meaning: "Distinct people of these touches"),
            Card("Installs", "installs", of: total, meaning: "Installs that a post brought"),
            Card(
                "K",
                "k",
                of: total,
                note: "installs per poster",
                meaning: "Above 1, people bring more people than they are",
                text: { NumberText.grouped($0) }
            ),
            Card(
                "Median cycle",
                "cycle_median_seconds",
                of: total,
                note: "from post to install",
                meaning: "From a post to the first install that it brought",
                text: { NumberText.duration(seconds: $0) }
            ),
        ]
        let drill = request.drill(request["by"] ?? "ref", in: "group")
        let groups = figures.rows.filter { $0.text("group") != "total" }
        var panel = Panel(
            anchor: "groups",
            heading: "K by \(request["by"] ?? "ref")",
            explanation: "K: installs that can be traced to a post, for each person who posted.",
            bars: Bar.list(groups, name: "group", column: "k", drill: drill) { row in
                "\(NumberText.grouped(row.number("k"), fixed: true)) · \(NumberText.grouped(row.number("installs"))) installs"
                    + ", \(NumberText.grouped(row.number("posters"))) posters"
            }
        )
        if panel.bars.isEmpty { panel.emptiness = "No install in these days can be traced to a post." }
        panel.tables = [
            TableView(figures, caption: "Viral", csv: request.csv("viral", own), isShown: true, drills: [drill])
        ]
        page.panels = [panel]
        return page
    }
}
