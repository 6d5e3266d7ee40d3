import Reporting

/// The five models of attribution side by side.
extension ReportPage {
    private static let drawnGroups = 9
    private static let meanings = [
        "last": "all to the last touch", "first": "all to the first touch", "linear": "equal parts",
        "position": "40 % first, 40 % last, 20 % between", "decay": "half as much for each 7 days before",
    ]

    static func attribution(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let event = request["event"] ?? "install"
        let exploring = Exploring(request, by: request["by"] ?? "channel")
        let grouping = exploring.keys.first ?? "channel"
        let own: [(name: String, value: String)] =
            [("event", event), ("by", grouping), ("model", "all")]
            + request.own.filter { ["goal", "lookback"].contains($0.name) }
        let figures = try await request.figures("attribution", own)
        var names: [String] = []
        var groups: [String] = []
        for row in figures.rows {
            if !names.contains(row.text("model")) { names.append(row.text("model")) }
            let group = row.text("group")
            if group != "total", !groups.contains(group) { groups.append(group) }
        }
        func share(_ group: String, _ model: String) -> Double {
            figures.rows.first { $0.text("group") == group && $0.text("model") == model }?.number("share") ?? 0
        }
        let drawn = groups.map { group in (name: group, shares: names.map { share(group, $0) }) }
            .filter { $0.shares.contains { $0 > 0 } }
            .sorted { ($0.shares.max() ?? 0) > ($1.shares.max() ?? 0) }
        // All charts have the same scale.
        let scale = drawn.flatMap(\.shares).max() ?? 0
        var page = ReportPage()
        let events = Choice.list(request.choices("event", of: "attribution"), chosen: event)
        page.form = exploring.form(
            OptionsForm(
                request,
                keeping: request.view.pageFields,
                [
                    .choice("Credits of", "event", events),
                    .goal(request, try await request.goals()),
                    .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
                ]
            )
        )
        var panel = Panel(anchor: "models", heading: "Five models side by side")
        if drawn.isEmpty {
            panel.emptiness = "Nothing to credit in these days. Choose more days, or credits of another event."
        } else {
            panel.legend = names.enumerated().map { position, name in
                Panel.Swatch(cssClass: "model-\(position)", word: name, meaning: meanings[name] ?? "")
            }
        }
        panel.pictures = Panel.More.drawn(drawn, request, usually: drawnGroups, name: \.name).map { group in
            Panel.Picture(
                name: group.name,
                drawing: ModelChart.drawing(of: group.name, models: names, shares: group.shares, scale: scale)
            )
        }
        panel.more = Panel.More(
            request,
            names: drawn.map(\.name),
            usually: drawnGroups,
            of: "groups",
            by: "share"
        )
        let compared = firstAndLast(drawn.map(\.name), share)
        panel.tables = [
            TableView(
                compared,
                caption: "First and last touch",
                address: request.address("attribution", own),
                isShown: true,
                drills: [request.drill(grouping, in: "group")],
                group: grouping
            ),
            TableView(
                figures,
                caption: "Credits",
                address: request.address("attribution", own),
                drills: [request.drill(grouping, in: "group")],
                group: grouping
            ),
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }

    /// For each group, how much more the first touch gets than the last: what brings people, and what closes.
    private static func firstAndLast(_ groups: [String], _ share: (_ group: String, _ model: String) -> Double)
        -> ReportRows
    {
        ReportRows(
            columns: [
                .text("group", "The group."), .rate("first", "Its share of the credits if the first touch gets all."),
                .rate("last", "Its share if the last touch gets all."),
                .rate("difference", "First − last: above 0, it brings people more often than it is the last touch."),
            ],
            rows: groups.map { group in
                let (first, last) = (share(group, "first"), share(group, "last"))
                return [.text(group)]
                    + [first, last, first - last].map { ReportCell.fraction(millionths: Int64(($0 * 1e6).rounded())) }
            }
        )
    }
}
