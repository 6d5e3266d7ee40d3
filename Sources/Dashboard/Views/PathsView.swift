import Reporting

/// The channels that people came through before they converted.
extension ReportPage {
    static func paths(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.given
        let figures = try await request.figures("paths", own)
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [
                .goal(request, try await request.goals()),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
                .text("Paths", "limit", request["limit"] ?? "50", size: 4),
            ]
        )
        var panel = Panel(
            anchor: "paths",
            heading: "Paths to a conversion",
            explanation: "The channels of the touches before each conversion, the earliest first; direct: no touch.",
            bars: Bar.list(
                figures.rows.filter { $0.text("path") != "total" },
                names: ["path"],
                column: "conversions"
            ) { row in
                NumberText.grouped(row.number("conversions"))
                    + (row["share"].number.map { " · " + NumberText.percent($0) } ?? "")
            }
        )
        if panel.bars.isEmpty { panel.emptiness = "No conversions in these days." }
        panel.tables = [TableView(figures, caption: "Paths", address: request.address("paths", own))]
        page.panels = [panel]
        return page
    }
}
