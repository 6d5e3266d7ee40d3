import Reporting

/// Who comes back, or what people are worth, as a heat map.
extension ReportPage {
    /// How many groups are drawn unless others are asked for.
    private static let drawnGroups = 12
    private static let words = [
        "touch": "first touch ever", "touch_in_range": "first touch in these days", "install": "first install",
        "authentication": "first login", "conversion": "first conversion",
    ]

    /// When somebody counts in a period.
    private static let returns = [
        ("on", "in the period"), ("within", "in it or before"), ("after", "in it or later"),
    ]

    static func retention(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let length = request["period"] ?? "week"
        let cohort = request["cohort"] ?? "touch"
        guard ["rate", "value", nil].contains(request["show"]) else {
            throw .invalid("‘show’ must be one of: rate, value.")
        }
        let showsValue = request["show"] == "value"
        let grouping = request["by"] ?? "none"
        // Cohorts of each group would be more than a picture can show.
        let isPooled = try request.isOn("pooled") || grouping != "none"
        let isMatured = try request.isOn("matured")
        // Values are of those who have had all periods: as many as the first of these days has had.
        let usual =
            isPooled && showsValue
            ? (1...8).last { end(of: $0, after: request.span.from, length: length) <= request.today } ?? 1 : 8
        let periods = request["periods"] ?? String(usual)
        // `at` names the periods itself.
        let replaced = ["period", "pooled", "periods"]
        let own: [(name: String, value: String)] =
            [("period", length)] + (isPooled ? [("pooled", "on")] : [])
            + (request["at"] == nil && periods != "8" ? [("periods", periods)] : [])
            + request.own.filter { !replaced.contains($0.name) }
        let figures = try await request.figures("retention", own)
        let goals = try await request.goals()
        // The cohorts of all groups together, or the groups of all cohorts.
        let all = isPooled ? figures.rows : figures.rows.filter { $0.text("group") == "total" }
        let column = showsValue ? "value_per_person" : "rate"
        func text(_ number: Double) -> String {
            showsValue ? NumberText.grouped(number, fixed: true) : NumberText.percent(number)
        }
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: ["pooled", View.groupsField],
            [
                choice(request, "Cohorts of", "cohort", chosen: cohort, goals: goals),
                choice(request, "by", "period", chosen: length, goals: []),
                choice(request, "Came back with", "returns", chosen: request["returns"] ?? "any", goals: goals),
                .choice("counted", "return", Choice.list(Self.returns, chosen: request["return"] ?? "on")),
                choice(request, "For each", "by", chosen: grouping, goals: []),
                .choice("Figures", "show", Choice.list(["rate", "value"], chosen: showsValue ? "value" : "rate")),
                .text("Periods", "periods", periods, size: 3),
                .text("or only", "at", request["at"] ?? "", size: 6),
                .either("People", "matured", off: "all", on: "whose last \(length) is over", isOn: isMatured),
            ].filter { !$0.isSelect || !$0.choices.isEmpty }
        )
        let event = words[cohort] ?? "first \(Choice.words(cohort))"
        var panel = Panel(
            anchor: "heat",
            heading: showsValue ? "What people are worth" : "Who comes back",
            explanation: (showsValue
                ? "People by their \(event), and what their conversions were worth until the end of each period after it, "
                    + "for each person."
                : "People by their \(event), and the share of them who came back in the periods after it"
                    + (["within": ", or earlier", "after": ", or later"][request["return"] ?? "on"] ?? "") + ".")
        )
        let last = all.map { $0.number("period") }.max()
        /// The row that says of how many people a figure is: the values of a group are all of those of its last period.
        func population(_ row: ReportRows.Row) -> ReportRows.Row {
            guard isPooled, showsValue else { return row }
            return all.first { $0.text("group") == row.text("group") && $0.number("period") == last } ?? row
        }
        // Rates of a few percent are usual: the darkest shade is the highest rate there is, of enough people.
        let highest =
            all.filter { population($0).number("people") >= HeatMap.fewPeople }.compactMap { $0[column].number }.max()
            ?? 0
        if highest > 0 { panel.explanation? += " The darkest shade is \(text(highest))." }
        func cell(_ row: ReportRows.Row) -> HeatMap.Cell? {
            row[column].number.map { number in
                let people = population(row).number("people")
                let counts = [row.number("retained"), people].map { NumberText.grouped($0) }
                let name = row.text(isPooled ? "group" : "cohort")
                return HeatMap.Cell(
                    text: text(number),
                    part: highest > 0 ? number / highest : 0,
                    hint: "\(name), \(length) \(NumberText.grouped(row.number("period"))): "
                        + (showsValue
                            ? "\(NumberText.grouped(row.number("cumulative_value"))) of \(counts[1]) people"
                            : "\(counts[0]) of \(counts[1]) people came back"),
                    of: people
                )
            }
        }
        let cohorts = isPooled ? [] : Set(all.map { $0.text("cohort") }).sorted()
        let chart = ChartPeriods(cohorts, of: length, in: request.span, today: request.today)
        var byName: [String: [Int: ReportRows.Row]] = [:]
        for row in all {
            byName[row.text(isPooled ? "group" : "cohort"), default: [:]][Int(row.number("period"))] = row
        }
        let numbers = Set(byName.values.flatMap(\.keys)).sorted()
        func people(_ name: String) -> Double {
            numbers.first.flatMap { byName[name]?[$0] }.map { population($0).number("people") } ?? 0
        }
        var names = cohorts
        if isPooled {
            let groups = byName.keys.filter { $0 != "total" && people($0) > 0 }
                .sorted { (people($0), $1) > (people($1), $0) }
            names = Panel.More.drawn(groups, request, usually: drawnGroups) + ["total"]
            panel.more = Panel.More(request, names: groups, usually: drawnGroups, of: "groups", by: "people")
        }
        panel.heat = HeatMap(
            event: !isPooled ? event : grouping == "none" ? "cohorts" : Choice.words(grouping),
            periods: numbers.map { "\(length) \($0)" },
            rows: names.map { name in
                HeatMap.Row(
                    name,
                    remark: isPooled ? nil : chart.remark(name),
                    people: people(name),
                    cells: numbers.map { number in
                        // A period that is not over would look like one in which nobody came back.
                        let isOver = isPooled || end(of: number, after: name, length: length) <= request.today
                        guard isOver, let row = byName[name]?[number] else { return .none("not over yet") }
                        return cell(row) ?? .none(isPooled ? "not over yet" : "nobody")
                    }
                )
            },
            caption: "Figures of each \(isPooled ? "group" : "cohort") by the \(length)s after its people came first"
        )
        panel.footnotes =
            !isPooled
            ? chart.cohortNotes
            : [
                "All cohorts of these days together; "
                    + (showsValue
                        ? "all columns are of the same people, those for whom the last \(length) is over, so that a "
                            + "value never falls. Fewer periods have more people."
                        : "each \(length) counts the people for whom it is over. ‘People’ are those of the first "
                            + "column.")
            ]
        panel.footnotes += [panel.heat?.note].compactMap(\.self)
        if all.allSatisfy({ $0.number("people") == 0 }) {
            (panel.heat, panel.footnotes) = (nil, [])
            panel.emptiness =
                isPooled && !all.isEmpty
                ? "Nobody came in these days for whom a \(length) is over. Choose earlier days, or a shorter period."
                : "Nobody is in a cohort of these days. Choose more days, or cohorts of another event."
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Retention",
                address: request.address("retention", own),
                remark: { row in
                    let (cohort, number) = (row.text("cohort"), Int(row.number("period")))
                    // Nobody has come back yet in a period to come, which is no fall to zero.
                    return cohort != "total" && end(of: number, after: cohort, length: length) > request.today
                        ? "period not over" : nil
                },
                drills: [request.drillDays(in: "cohort", of: length), request.drill(grouping, in: "group")],
                group: grouping
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }

    private static func choice(
        _ request: ViewRequest,
        _ label: String,
        _ field: String,
        chosen: String,
        goals: [String]
    ) -> Control {
        let ofInstalls = field == "by" && request["cohort"] == "install" ? ["injected", "joined_by"] : []
        let values = request.choices(field, of: "retention", goals: goals) + ofInstalls
        return .choice(label, field, Choice.list(values, chosen: chosen))
    }

    /// The end (exclusive) of the n-th period after the cohort's own.
    private static func end(of number: Int, after cohort: String, length: String) -> String {
        (0...number).reduce(cohort) { date, _ in DateSpan.end(of: length, from: date) }
    }
}
