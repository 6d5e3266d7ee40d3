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
        // What a funnel of other steps must not have may be a step of this one.
        let install = try await request.figuresUnlessRefused("installs", shared)
        var page = ReportPage()
        page.form = try await StepChoices.form(
            request,
            keeping: [View.groupsField],
            [
                .choice("By", "by", Choice.list(request.choices("by", of: "funnel"), chosen: grouping)),
                .choice("Groups", "sort", try orders(request)),
            ].filter { $0.field == "by" || grouping != "none" && request.periodKey == nil } + [readyMade(request)],
            isMatured: try request.isOn("matured")
        )
        let drill = request.drill(grouping, in: "group")
        page.isSideBySide = grouping == "none"
        page.panels = [
            funnel(request, "Conversion funnel", conversion, address: request.address("funnel", own), drill: drill),
            funnel(request, "Install funnel", install, address: request.address("installs", shared), drill: drill),
        ]
        return page
    }

    /// Funnels that many ask for and few would put together.
    private static func readyMade(_ request: ViewRequest) -> Control {
        let funnels: [(name: String, steps: String?, window: String?)] = [
            ("usual", nil, nil), ("second tap", "touch,touch", "30d"),
            ("second conversion", "conversion,conversion", "30d"),
            ("first own post", "touch,install,feed_post[outcome=posted]", "7d"),
        ]
        let kept = request.given.filter { !StepChoices.fields.contains($0.name) }
        return .tabs(
            "Ready made",
            funnels.map { name, steps, window in
                let fields = [("steps", steps), ("window", window)].compactMap { name, value in
                    value.map { (name: name, value: $0) }
                }
                return Control.Tab(
                    name: name,
                    href: request.href(.funnels, fields + kept),
                    isCurrent: request["steps"] == steps
                )
            }
        )
    }

    private static func orders(_ request: ViewRequest) throws(DashboardFailure) -> [Choice] {
        let orders = [("", "the largest first"), ("rate", "the best first"), ("rate:reverse", "the worst first")]
        let choices = Choice.list(orders, chosen: request["sort"] ?? "")
        guard choices.contains(where: \.isChosen) else { throw .invalid("‘sort’ must be one of: rate, rate:reverse.") }
        return choices
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
        let period = request.periodKey
        let groups = period != nil ? [] : sorted(names.filter { $0 != "total" }, request["sort"], figures)
        let drawn = Panel.More.drawn(groups, request, usually: drawnGroups)
        let order = request["sort"] == nil ? (by: "people", first: "largest") : (by: "rate", first: "first")
        let panel = Panel(
            anchor: title.lowercased().replacing(" ", with: "-"),
            heading: title,
            chart: period.flatMap { overTime(request, figures, by: $0) },
            pictures: (["total"] + drawn).map { name in
                let steps = figures.rows.filter { $0.text("group") == name }.map(step)
                return Panel.Picture(
                    name: name,
                    drawing: FunnelChart.drawing(steps, title: "\(title), \(name)")
                )
            },
            more: Panel.More(
                request,
                names: groups,
                usually: drawnGroups,
                of: "groups",
                by: order.by,
                first: order.first
            ),
            footnotes: [
                "The bars are shares of the first step; the thin line is the Wilson 95 % interval. ‘Lost’ and ‘still "
                    + "can’ are shares of the people of the step before: those who cannot reach this step any more, "
                    + "and those who still have time for it, who are striped.",
                period.map {
                    "Each \($0) has the people who began in it. Dashed ones are not over yet, lie only partly in these "
                        + "days, or have people who still can; ‘People’ leaves those out."
                },
                unknownTimes(in: figures),
            ].compactMap(\.self),
            tables: [TableView(figures, caption: title, address: address, drills: [drill], group: request["by"])]
        )
        return panel.refused(figures.unmet)
    }

    /// Groups by the share of people who reach the last step. One of few people says little, and comes last.
    private static func sorted(_ groups: [String], _ order: String?, _ figures: ReportRows) -> [String] {
        guard let order else { return groups }
        let direction = order.hasSuffix(":reverse") ? -1.0 : 1.0
        func place(_ group: String) -> Double {
            let steps = figures.rows.filter { $0.text("group") == group }
            guard steps.first?.number("people") ?? 0 >= HeatMap.fewPeople else { return -.infinity }
            return direction * (steps.last?.number("rate_from_first") ?? 0)
        }
        return groups.map { ($0, place($0)) }.sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// The people who began in each day, week or month, and the shares of them who got further.
    private static func overTime(_ request: ViewRequest, _ figures: ReportRows, by period: String) -> String? {
        let groups = Dictionary(grouping: figures.rows.filter { !ReportRows.isSyntheticName($0.text("group")) }) {
            $0.text("group")
        }
        let periods = ChartPeriods(
            groups.keys.sorted(),
            of: period,
            in: request.span,
            today: request.today,
            growing: groups.filter { $0.value.contains { $0.number("open") > 0 } }.keys.min()
        )
        guard !periods.starts.isEmpty else { return nil }
        let steps = figures.rows.filter { $0.text("group") == "total" }
        return PeriodChart.drawing(
            periods,
            series: steps.enumerated().map { position, step in
                PeriodChart.Series(
                    name: Choice.words(step.text("name")),
                    cssClass: "series-\(min(position, 2))",
                    values: periods.starts.map { start in
                        let rows = groups[start] ?? []
                        guard position < rows.count else { return 0 }
                        return rows[position].number(position == 0 ? "people" : "rate_from_first")
                    },
                    isRate: position > 0,
                    addsUp: false
                )
            }
        )
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
