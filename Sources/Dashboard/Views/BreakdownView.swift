import Reporting

/// The counts of touches, and what they brought, by any one or two keys.
extension ReportPage {
    private static let rates = ReportCatalogue.columns(of: "breakdown").filter {
        $0.condition?.contains("--rates") ?? false
    }.map(\.name)

    /// Keys whose values have an order that everybody knows, and that the range has unequally often.
    private static let clockKeys: Set = ["hour", "weekday"]

    static func breakdown(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let keys = (request["by"] ?? "channel").split(separator: ",").map(String.init)
        let limit = request["limit"] ?? "50"
        let clockKey = keys.count == 1 ? keys.first { Self.clockKeys.contains($0) } : nil
        var order = SortOrder(request["sort"] ?? clockKey ?? "touches")
        let hasRates = try request.isOn("rates")
        // Who leaves the rates out leaves their order, too.
        if !hasRates, Self.rates.contains(order.column) { order = SortOrder("touches") }
        let own: [(name: String, value: String)] =
            [("by", keys.joined(separator: ","))]
            + (request["sort"] == nil && clockKey == nil ? [] : [("sort", order.text)])
            + request.own.filter { !["by", "sort"].contains($0.name) }
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
                .choice(
                    "Figures",
                    "rates",
                    [("", "counts"), ("true", "counts and rates")].map { value, title in
                        Choice(value: value, title: title, isChosen: (value == "true") == hasRates)
                    }
                ),
                .text("Rows", "limit", limit, size: 4),
                .text("of people, at least", "least", request["least"] ?? "", size: 4),
            ]
        )
        let measures = figures.columns.filter { ![.text, .time].contains($0.kind) && $0.name != "days" }.map(\.name)
        let drawn = measures.contains(order.column) ? order.column : "touches"
        let rows = figures.rows.filter { row in
            keys.first.map { !["total", "direct", "(others)"].contains(row.text($0)) } ?? true
                // What has no name is mostly the largest row, and no answer.
                && keys.contains { row.text($0) != "(none)" }
        }
        let drawnColumn = figures.columns.first { $0.name == drawn }
        // Thirty days have five Thursdays and four Mondays. People of all Mondays are not the sum of those of each.
        let isPerDay =
            keys.contains { Self.clockKeys.contains($0) }
            && drawnColumn.map { [.integer, .decimal].contains($0.kind) && $0.unit != "people" } ?? false
        func value(_ row: ReportRows.Row) -> Double {
            let days = row.number("days")
            return isPerDay ? (days > 0 ? row.number(drawn) / days : 0) : row.number(drawn)
        }
        var panel = Panel(
            anchor: "breakdown",
            heading:
                "\(drawnColumn?.title ?? "Touches")\(isPerDay ? " a day" : "") by "
                + keys.joined(separator: " and ").replacing("_", with: " "),
            explanation:
                "Click on a column to sort by it, on a row to see it alone. The bars leave out what has no name"
                + (isPerDay ? ", and are divided by the days that the range has." : ".")
                + " Share: of \(ReportCatalogue.sharedColumn(sortedBy: order.column).replacing("_", with: " "))."
        )
        // Of the smallest, those that are not shown may be larger.
        if !order.isReversed, let column = drawnColumn {
            panel.drawBars(
                request,
                rows,
                names: keys,
                column: drawn,
                value: value,
                keepsOrder: order.column == clockKey,
                of: "rows",
                drill: request.drill(all: keys)
            ) {
                isPerDay
                    ? NumberText.grouped(value($0)) : NumberText.text(of: $0[drawn], in: column, isWhole: true)
            }
        }
        if panel.bars.isEmpty, !order.isReversed || rows.isEmpty {
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
                sorting: Sorting(request, order, columns: keys + measures)
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
