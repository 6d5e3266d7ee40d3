import Reporting

/// How many people had both of two values of a key, such as two refs.
extension ReportPage {
    static func overlap(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let key = request["by"] ?? "ref"
        let own: [(name: String, value: String)] = [("by", key)] + request.own.filter { $0.name != "by" }
        let figures = try await request.figures("overlap", own)
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            [
                .choice("By", "by", Choice.list(request.choices("by", of: "overlap"), chosen: key)),
                .text("Values", "limit", request["limit"] ?? "10", size: 4),
                .goal(request, try await request.goals()),
            ]
        )
        let keyName = Choice.words(key)
        var panel = Panel(
            anchor: "overlap",
            heading: "People of one \(keyName) who also had another",
            explanation:
                "Each row has the people of one \(keyName); a cell, the share of them who also had that of its "
                + "column. If most had both, figures of one say little about it alone."
        )
        panel.heat = matrix(figures, keyName: keyName)
        if panel.heat == nil {
            panel.emptiness = "There are no two values with people in these days. Choose more days, or another key."
        } else {
            panel.footnotes =
                [
                    "The \(request["limit"] ?? "10") values with the most people are shown; ‘Values’ shows more or fewer."
                ] + [panel.heat?.note].compactMap(\.self)
        }
        panel.tables = [
            TableView(
                figures.filtered { $0.number("both") > 0 },
                caption: "Pairs that share people",
                address: request.address("overlap", own),
                meter: "both",
                drills: [request.drill(key, in: "a"), request.drill(key, in: "b")]
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }

    /// - Returns: nil if there is no pair.
    private static func matrix(_ figures: ReportRows, keyName: String) -> HeatMap? {
        var people: [(name: String, count: Double)] = []
        var both: [[String]: Double] = [:]
        for row in figures.rows {
            for side in ["a", "b"] where !people.contains(where: { $0.name == row.text(side) }) {
                people.append((row.text(side), row.number("people_\(side)")))
            }
            both[[row.text("a"), row.text("b")]] = row.number("both")
        }
        guard people.count > 1 else { return nil }
        people.sort { $0.count > $1.count }
        func share(_ row: Int, _ column: Int) -> (count: Double, rate: Double)? {
            let names = [people[row].name, people[column].name]
            guard row != column, let count = both[names] ?? both[names.reversed()] else { return nil }
            return (count, people[row].count > 0 ? count / people[row].count : 0)
        }
        let rates = people.indices.filter { people[$0].count >= HeatMap.fewPeople }
            .flatMap { row in people.indices.compactMap { share(row, $0)?.rate } }
        let highest = rates.max() ?? 0
        return HeatMap(
            event: keyName,
            periods: people.map(\.name),
            rows: people.indices.map { row in
                HeatMap.Row(
                    people[row].name,
                    people: people[row].count,
                    cells: people.indices.map { column in
                        guard let (count, rate) = share(row, column) else { return .none("the same") }
                        return HeatMap.Cell(
                            text: NumberText.percent(rate),
                            part: highest > 0 ? rate / highest : 0,
                            hint: "\(NumberText.grouped(count)) of \(NumberText.grouped(people[row].count)) people of "
                                + "\(people[row].name) also had \(people[column].name)",
                            of: people[row].count
                        )
                    }
                )
            },
            caption: "Share of the people of each row who also had the value of the column"
        )
    }
}
