import Reporting

/// The counts of touches, and what they brought, by any one or two keys.
extension ReportPage {
    static func breakdown(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let keys = (request["by"] ?? "channel").split(separator: ",").map(String.init)
        let limit = request["limit"] ?? "50"
        let own: [(name: String, value: String)] =
            [("by", keys.joined(separator: ","))] + request.own.filter { $0.name != "by" }
        let figures = try await request.figures("breakdown", own)
        let offered = request.choices("by", of: "breakdown")
        let second = keys.count > 1 ? keys[1] : nil
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: ["sort", View.groupsField],
            [
                .choice("By", "key1", Choice.list(offered, chosen: keys.first ?? "")),
                .choice(
                    "and",
                    "key2",
                    [Choice(value: "", title: "(nothing)", isChosen: second == nil)]
                        + Choice.list(offered.filter { $0 != keys.first }, chosen: second ?? "")
                ),
                .goal(request, try await request.goals()),
                .text("Rows", "limit", limit, size: 4),
            ]
        )
        let sort = request["sort"] ?? "touches"
        let measures = figures.columns.filter { ![.text, .time].contains($0.kind) && $0.name != "days" }.map(\.name)
        let drawn = measures.contains(sort) ? sort : "touches"
        let rows = figures.rows.filter { row in
            keys.first.map { !["total", "direct", "(others)"].contains(row.text($0)) } ?? true
                // What has no name is mostly the largest row, and no answer.
                && keys.contains { row.text($0) != "(none)" }
        }
        var panel = Panel(
            anchor: "breakdown",
            heading:
                "\(drawn.replacing("_", with: " ")) by \(keys.joined(separator: " and ").replacing("_", with: " "))",
            explanation:
                "Click on a column to sort by it, on a row to see it alone. The bars leave out what has no name."
        )
        panel.drawBars(request, rows, names: keys, column: drawn, of: "rows", drill: request.drill(all: keys)) { row in
            NumberText.grouped(row.number(drawn))
        }
        if panel.bars.isEmpty {
            panel.emptiness =
                rows.count < figures.rows.count
                ? "Nothing in these days has a name here." : "Nothing to count in these days."
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Breakdown",
                address: request.address("breakdown", own),
                isShown: true,
                drills: keys.map { request.drill($0) },
                sorting: Sorting(column: sort, columns: keys + measures) { column in
                    request.href(.breakdown, request.given.filter { $0.name != "sort" } + [("sort", column)])
                }
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
