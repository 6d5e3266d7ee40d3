import Reporting

/// The conversion funnel and the install funnel.
extension ReportPage {
    /// How many groups are drawn beside the total: the largest.
    private static let drawnGroups = 5

    static func funnels(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.own
        let shared = own.filter { $0.name != "steps" }
        let grouping = request["by"] ?? "none"
        let conversion = try await request.figures("funnel", own)
        let install = try await request.figures("installs", shared)
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            StepChoices.controls(request, goals: try await request.goals()) + [
                .choice("By", "by", Choice.list(request.choices("by", of: "funnel"), chosen: grouping)),
                .text("Window", "window", request["window"] ?? "7d", size: 5),
            ]
        )
        let drill = request.drill(grouping, in: "group")
        page.isSideBySide = grouping == "none"
        page.panels = [
            funnel(request, "Conversion funnel", conversion, address: request.address("funnel", own), drill: drill),
            funnel(request, "Install funnel", install, address: request.address("installs", shared), drill: drill),
        ]
        return page
    }

    private static func funnel(
        _ request: ViewRequest,
        _ title: String,
        _ figures: ReportRows,
        address: ReportAddress,
        drill: Drill
    ) -> Panel {
        var names: [String] = []
        for row in figures.rows where !names.contains(row.text("group")) { names.append(row.text("group")) }
        let groups = names.filter { $0 != "total" }
        let drawn = Panel.More.drawn(groups, request, usually: drawnGroups)
        let panel = Panel(
            anchor: title.lowercased().replacing(" ", with: "-"),
            heading: title,
            pictures: (["total"] + drawn).map { name in
                let steps = figures.rows.filter { $0.text("group") == name }.map(step)
                return Panel.Picture(
                    name: name,
                    drawing: FunnelChart.drawing(steps, title: "\(title), \(name)")
                )
            },
            more: Panel.More(request, names: groups, usually: drawnGroups, of: "groups", by: "people"),
            footnotes: [
                "The bars are shares of the first step; the thin line is the Wilson 95 % interval. ‘Lost’ and ‘still "
                    + "can’ are shares of the people of the step before: those who cannot reach this step any more, "
                    + "and those who still have time for it, who are striped.",
                unknownTimes(in: figures),
            ].compactMap(\.self),
            tables: [TableView(figures, caption: title, address: address, drills: [drill], group: request["by"])]
        )
        return panel.refused(figures.unmet)
    }

    private static func unknownTimes(in figures: ReportRows) -> String? {
        let unknown = figures.rows.filter { $0.text("group") == "total" }.map { $0.number("unknown_times") }.max() ?? 0
        guard unknown > 0 else { return nil }
        return "The medians leave out people whose link does not say when it was tapped: at most "
            + "\(NumberText.grouped(unknown)) at a step."
    }

    private static func step(_ row: ReportRows.Row) -> FunnelChart.Step {
        var interval: (low: Double, high: Double)?
        if let low = row["ci_low"].number, let high = row["ci_high"].number { interval = (low, high) }
        return FunnelChart.Step(
            name: Choice.words(row.text("name")),
            people: row.number("people"),
            rate: row["rate_from_first"].number,
            interval: interval,
            open: row.number("open"),
            medianSeconds: row.number("step") > 1 ? row["median_seconds"].number : nil
        )
    }
}
