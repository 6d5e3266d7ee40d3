import Reporting
import Storage

/// The counts of touches, and what they brought, by any one or two keys.
extension ReportPage {
    private static let rates = columns(only: "--rates") + columns(only: "--per-touch")
    private static let costs = columns(only: "costs")

    /// The columns that are there on a condition.
    private static func columns(only words: String) -> [String] {
        ReportCatalogue.columns(of: "breakdown").filter { $0.condition?.contains(words) ?? false }.map(\.name)
    }

    /// What the table shows beside the range before: the figure of the bars first. All columns would be seventy.
    private static func compared(_ drawn: String) -> [String] {
        let figures = [drawn] + ["touches", "people", "installs", "conversions", "value"].filter { $0 != drawn }
        return figures.flatMap { [$0, "previous_\($0)", "change_share_\($0)"] }
    }

    /// Keys whose values have an order that everybody knows, and that the range has unequally often.
    private static let clockKeys: Set = ["hour", "weekday"]

    static func breakdown(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let exploring = Exploring(request, by: request["by"] ?? "channel")
        let keys = exploring.keys
        // All hours of a week are one picture.
        let isOfWeek = Set(keys) == clockKeys
        let limit = request["limit"] ?? (isOfWeek ? "168" : "50")
        let clockKey = keys.count == 1 ? keys.first { Self.clockKeys.contains($0) } : nil
        var order = SortOrder(request["sort"] ?? clockKey ?? "touches")
        // The rows of posts have many columns of their own.
        let isRated = !keys.contains("post")
        let hasRates = try request.isOn("rates", usually: isRated)
        // Who leaves the rates out leaves their order, too.
        if !hasRates, Self.rates.contains(order.column) { order = SortOrder("touches") }
        let cost = keys.count == 1 ? Cost.Kind(rawValue: keys[0]) : nil
        if cost == nil, Self.costs.contains(order.column) { order = SortOrder("touches") }
        var own = [(name: "by", value: keys.joined(separator: ","))]
        if request["sort"] != nil || clockKey != nil { own.append(("sort", order.text)) }
        if hasRates { own += [("rates", "true"), ("per-touch", "true")] }
        if isOfWeek { own.append(("limit", limit)) }
        own += request.own.filter { field in
            !own.contains { $0.name == field.name } && !["sort", "rates"].contains(field.name)
        }
        let isCompared = try request.isOn("compare-previous")
        // What is divided by the days is not divided by those to come.
        let isOfClocks = keys.contains { Self.clockKeys.contains($0) }
        let span = isCompared || isOfClocks ? request.spanUpToNow : nil
        let figures = try await request.figures("breakdown", own, of: span, areMain: true)
        var page = ReportPage()
        page.form = exploring.form(
            OptionsForm(
                request,
                keeping: ["sort", View.groupsField],
                [
                    .goal(request, try await request.goals()),
                    .either("Show", "rates", off: "counts", on: "counts and rates", isOn: hasRates, usually: isRated),
                    .text("Rows", "limit", limit, size: 4),
                    .text("of people, at least", "least", request["least"] ?? "", size: 4),
                    .either(
                        "Compare with",
                        "compare-previous",
                        off: "nothing",
                        on: "the range before",
                        isOn: isCompared
                    ),
                ]
            )
        )
        let ownColumns = Set(ReportCatalogue.columns(of: "breakdown").map(\.name))
        let measures = figures.columns.filter { column in
            ![.text, .time].contains(column.kind) && column.name != "days" && ownColumns.contains(column.name)
        }.map(\.name)
        let drawn = measures.contains(order.column) ? order.column : "touches"
        let rows = figures.rows.filter { row in
            keys.first.map { !["total", "direct", "(others)"].contains(row.text($0)) } ?? true
                // What has no name is mostly the largest row, and no answer.
                && keys.contains { row.text($0) != "(none)" }
        }
        let drawnColumn = figures.columns.first { $0.name == drawn }
        // Thirty days have five Thursdays and four Mondays. People of all Mondays are not the sum of those of each.
        let isPerDay =
            isOfClocks
            && drawnColumn.map { [.integer, .decimal].contains($0.kind) && $0.unit != "people" } ?? false
        func value(_ row: ReportRows.Row) -> Double {
            // The first minutes of a day do not say what a whole one brings.
            isPerDay ? row.number(drawn) / max(1, row.number("days")) : row.number(drawn)
        }
        /// The change of the drawn figure since the range before; empty where nothing is compared.
        func change(_ row: ReportRows.Row) -> String {
            guard isCompared else { return "" }
            guard let share = row["change_share_\(drawn)"].number else {
                return row["previous_\(drawn)"].number == 0 ? " · new" : ""
            }
            return " · \(share > 0 ? "+" : "")\(NumberText.percent(share))"
        }
        var panel = Panel(
            anchor: "breakdown",
            heading:
                "\(drawnColumn?.title ?? "Touches")\(isPerDay ? " a day" : "") by "
                + keys.joined(separator: " and ").replacing("_", with: " "),
            explanation:
                "Click on a column to sort by it, on a row to see it alone. "
                + (isOfWeek ? "The cells show the column" : "The bars leave out what has no name")
                + (isPerDay ? ", \(isOfWeek ? "" : "and are ")divided by the days of the range, by one at least." : ".")
                + " Share: of \(ReportCatalogue.sharedColumn(sortedBy: order.column).replacing("_", with: " "))."
                + (isCompared ? request.before.map { " Changes are since the range before (\($0.words))." } ?? "" : "")
        )
        if isOfWeek {
            panel.heat = HeatMap.ofWeek(rows, isRate: drawnColumn?.kind == .rate, value: value)
            panel.footnotes = [panel.heat?.note].compactMap(\.self)
            // Of the smallest, those that are not shown may be larger.
        } else if !order.isReversed, let column = drawnColumn {
            panel.drawBars(
                request,
                rows,
                names: keys,
                column: drawn,
                value: value,
                keepsOrder: order.column == clockKey,
                of: "rows",
                drill: request.drill(all: keys)
            ) { row in
                if isPerDay { return NumberText.grouped(value(row)) }
                return NumberText.text(of: row[drawn], in: column, isWhole: true) + change(row)
            }
        }
        if panel.bars.isEmpty, panel.heat == nil, !order.isReversed || rows.isEmpty {
            panel.emptiness =
                rows.count < figures.rows.count
                ? "Nothing in these days has a name here." : "Nothing to count in these days."
        }
        if isPerDay, let row = rows.first(where: { 0 < $0.number("days") && $0.number("days") < 1 }) {
            let name = keys.filter { Self.clockKeys.contains($0) }.map { row.text($0) + ($0 == "hour" ? ":00" : "") }
            panel.footnotes.append(
                "Of \(name.joined(separator: " ")), the range has only a part: the figure is what there was so far."
            )
        }
        if isPerDay, let day = figures.firstDayOfApp {
            panel.footnotes.append("The days before the app’s first event (\(day)) count, too.")
        }
        panel.tables = [
            TableView(
                isCompared ? figures.limited(to: keys + compared(drawn) + ["complete"]) : figures,
                caption: "Breakdown",
                address: request.address("breakdown", own, of: span),
                isShown: true,
                drills: keys.map { request.drill($0) },
                sorting: Sorting(request, order, columns: keys + measures)
            )
        ]
        if let cost {
            let words = "With costs, the table says what an install costs, and what a \(cost.rawValue) returns:"
            panel.source = Panel.More(words: words, link: "Money", href: View.money.path)
        }
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}

extension HeatMap {
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let hours = (0..<24).map { $0 < 10 ? "0\($0)" : "\($0)" }

    /// A figure by weekday and hour.
    ///
    /// - Returns: nil if nothing is counted.
    static func ofWeek(_ rows: [ReportRows.Row], isRate: Bool, value: (ReportRows.Row) -> Double) -> HeatMap? {
        let byHour = Dictionary(rows.map { ([$0.text("weekday"), $0.text("hour")], $0) }) { first, _ in first }
        func people(_ row: ReportRows.Row) -> Double { isRate ? row.number("people") : .infinity }
        let highest = rows.filter { people($0) >= fewPeople }.map(value).max() ?? 0
        func cell(_ day: String, _ hour: String) -> Cell {
            guard let row = byHour[[day, hour]] else { return .none("\(day), \(hour):00: nothing") }
            let number = value(row)
            let text = isRate ? NumberText.percent(number) : NumberText.grouped(number, decimals: number < 10 ? 1 : 0)
            return Cell(
                text: text,
                part: highest > 0 ? number / highest : 0,
                hint: "\(day), \(hour):00: \(text)" + (isRate ? " of \(NumberText.grouped(people(row))) people" : ""),
                of: people(row)
            )
        }
        guard !rows.isEmpty else { return nil }
        return HeatMap(
            event: "weekday",
            periods: hours,
            rows: weekdays.map { day in Row(day, people: nil, cells: hours.map { cell(day, $0) }) },
            caption: "Figures by weekday and hour"
        )
    }
}
