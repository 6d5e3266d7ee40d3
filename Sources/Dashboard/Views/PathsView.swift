import Reporting

/// The channels that people came through before they converted.
extension ReportPage {
    /// `search > bookmarks > bookmarks` as `search > bookmarks × 2`.
    static func folded(_ path: String) -> String {
        var steps: [(name: Substring, count: Int)] = []
        for name in path.split(separator: " > ") {
            if steps.last?.name == name { steps[steps.count - 1].count += 1 } else { steps.append((name, 1)) }
        }
        return steps.map { $0.count > 1 ? "\($0.name) × \($0.count)" : "\($0.name)" }.joined(separator: " > ")
    }

    static func paths(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.own
        let figures = try await request.figures("paths", own).replacing("path") { .text(folded($0.text("path"))) }
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            [
                .goal(request, try await request.goals()),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
                .text("Paths", "limit", request["limit"] ?? "50", size: 4),
            ]
        )
        var panel = Panel(
            anchor: "paths",
            heading: "Paths to a conversion",
            explanation: "The channels of the touches before each conversion, the earliest first; direct: no touch."
        )
        let paths = figures.rows.filter { $0.text("path") != "total" }
        panel.drawBars(request, paths, names: ["path"], column: "conversions", of: "paths") { row in
            NumberText.grouped(row.number("conversions"))
                + (row["share"].number.map { " · " + NumberText.percent($0) } ?? "")
        }
        let rest =
            (figures.total(named: "path")?.number("conversions") ?? 0)
            - paths.reduce(0) { $0 + $1.number("conversions") }
        if !paths.isEmpty, rest >= 1 {
            panel.footnotes.append(
                "\(NumberText.grouped(rest)) more conversions came by paths beyond these \(paths.count); ‘Paths’ shows more."
            )
        }
        if panel.bars.isEmpty {
            panel.emptiness = "No conversions in these days. Choose more days, or send one."
            page.firstEvent = FirstEvent(request, .conversion)
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Paths",
                address: request.address("paths", own),
                sorting: try .ofPage(request, figures)
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
