import Reporting

/// Retention as a heat map. It is a table, so that it can be read without colours.
struct RetentionView {
    struct Cell {
        var text: String
        /// How dark: `heat-0` to `heat-10`.
        var cssClass: String
        var hint: String
    }

    struct Row {
        var cohort: String
        var people: String
        var cells: [Cell]
    }

    var periods: [String]
    var rows: [Row]
    var table: TableView
    var lengths: [Choice]
    var isEmpty: Bool
    /// The rate of the darkest shade.
    var scale: String

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let length = request["period"] ?? "week"
        let own: [(name: String, value: String)] =
            [("period", length)] + request.given.filter { $0.name == "periods" }
        let figures = try await request.figures("retention", own)
        // The cohorts of all groups together, the first date first.
        let all = figures.rows.filter { $0.text("group") == "total" && $0.text("cohort") != "total" }
        var cohorts: [String] = []
        var numbers: [Int] = []
        for row in all {
            if !cohorts.contains(row.text("cohort")) { cohorts.append(row.text("cohort")) }
            let number = Int(row.number("period"))
            if !numbers.contains(number) { numbers.append(number) }
        }
        numbers.sort()
        periods = numbers.map { "\(length) \($0)" }
        let days = length == "week" ? 7 : 1
        let today = request.today
        // Rates of a few percent are usual: the darkest shade is the highest rate there is.
        let highest = all.compactMap { $0["rate"].number }.max() ?? 0
        scale = NumberText.percent(highest)
        rows = cohorts.sorted().map { cohort in
            let own = all.filter { $0.text("cohort") == cohort }
            return Row(
                cohort: cohort,
                people: NumberText.grouped(own.first?.number("people") ?? 0),
                cells: numbers.map { number in
                    guard
                        // A period that is not over would look like one in which nobody came back.
                        DateSpan.day(cohort, plus: (number + 1) * days) <= today,
                        let row = own.first(where: { Int($0.number("period")) == number }),
                        let rate = row["rate"].number
                    else { return Cell(text: "", cssClass: "heat-none", hint: "not over yet") }
                    return Cell(
                        text: NumberText.percent(rate, alwaysDecimal: true),
                        cssClass: "heat-\(highest > 0 ? Int((rate / highest * 10).rounded()) : 0)",
                        hint:
                            "\(NumberText.grouped(row.number("retained"))) of \(NumberText.grouped(row.number("people")))"
                    )
                }
            )
        }
        isEmpty = rows.isEmpty
        table = TableView(figures, caption: "Retention", csv: request.csv("retention", own))
        lengths = Choice.list(["day", "week"], chosen: length)
    }
}
