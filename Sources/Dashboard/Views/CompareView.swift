import InboundLinks
import Reporting

/// Two refs, two channels, or two ranges of days: is the difference more than chance?
extension ReportPage {
    /// How many names are compared with the first one if none is chosen.
    private static let comparedNames = 8

    static func compare(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let kind = request["by"] ?? "ref"
        switch kind {
        case "ref", "channel": return try await compareNames(request, kind: kind)
        case "range": return try await compareRanges(request)
        default: throw .invalid("‘by’ must be one of: ref, channel, range.")
        }
    }

    private static func form(_ request: ViewRequest, kind: String, goals: [String], _ controls: [Control])
        -> OptionsForm
    {
        let kept = request.given.filter { ["steps", "window"].contains($0.name) }
        let tabs = [("ref", "Refs"), ("channel", "Channels"), ("range", "Two ranges")].map { value, name in
            Control.Tab(name: name, href: request.href(.compare, [("by", value)] + kept), isCurrent: value == kind)
        }
        return OptionsForm(
            request,
            keeping: ["by"],
            [.tabs("Compare", tabs)] + controls + StepChoices.controls(request, goals: goals)
                + [.text("Window", "window", request["window"] ?? "7d", size: 5)]
        )
    }

    // MARK: Names

    private static func compareNames(_ request: ViewRequest, kind: String) async throws(DashboardFailure) -> ReportPage
    {
        // The report takes several names with commas between them.
        let seen = try await request.names("\(kind)s", by: "touches").filter { !$0.contains(",") }
        let names = kind == "channel" ? Channel.allCases.map(\.rawValue) : seen
        let first = request["a"] ?? seen.first
        var page = ReportPage()
        page.form = form(
            request,
            kind: kind,
            goals: try await request.goals(),
            [
                .choice(kind == "ref" ? "Ref" : "Channel", "a", Choice.names(names, chosen: first)),
                .choice(
                    "with",
                    "b",
                    Choice.names(names.filter { $0 != first }, chosen: request["b"], first: "all others")
                ),
            ]
        )
        let others = request["b"] ?? seen.filter { $0 != first }.prefix(comparedNames).joined(separator: ",")
        guard let first, !others.isEmpty else {
            page.notice = "There are no two \(kind)s to compare in these days."
            return page
        }
        let own: [(name: String, value: String)] =
            [("a", first), ("b", others), ("by", kind)]
            + request.given.filter { ["steps", "window"].contains($0.name) }
        let figures = try await request.figures("compare", own)
        let metric = (figures.rows.first?.text("metric") ?? "").replacing("_", with: " ")
        let rates = rates(figures.rows, a: first)
        let largest = rates.map(\.rate).max() ?? 0
        page.panels = [
            Panel(
                anchor: "rates",
                heading: "Share of people who reach: \(metric)",
                bars: rates.map { one in
                    Bar(
                        one.name,
                        figure:
                            "\(NumberText.percent(one.rate, alwaysDecimal: true)) of \(NumberText.grouped(one.people)) people",
                        part: largest > 0 ? one.rate / largest : 0
                    )
                }
            ),
            Panel(
                anchor: "differences",
                heading: "Difference to \(first)",
                explanation: "\(first) − the other, in percentage points, with the 95 % interval. An interval around "
                    + "no difference may be chance."
                    + (figures.rows.count > 1
                        ? " The p-values are corrected for \(figures.rows.count) comparisons." : ""),
                chart: IntervalChart.drawing(
                    figures.rows.map { row in
                        difference(
                            row,
                            name: "\(first) − \(row.text("b"))",
                            p: row["p_value"].number
                        )
                    },
                    title: "Difference to \(first)"
                ),
                tables: [
                    TableView(
                        figures,
                        caption: "Comparison",
                        address: request.address("compare", own),
                        drills: [request.drill(kind, in: "b")]
                    )
                ]
            ),
        ]
        return page
    }

    private static func rates(_ rows: [ReportRows.Row], a: String) -> [(name: String, rate: Double, people: Double)] {
        (rows.first.map { [(a, $0.number("a_rate"), $0.number("a_people"))] } ?? [])
            + rows.map { ($0.text("b"), $0.number("b_rate"), $0.number("b_people")) }
    }

    // MARK: Ranges

    private static func compareRanges(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let grouping = request["group"] ?? "channel"
        var page = ReportPage()
        page.form = form(
            request,
            kind: "range",
            goals: try await request.goals(),
            [.choice("Each", "group", Choice.list(["none", "channel", "ref", "platform"], chosen: grouping))]
        )
        let own: [(name: String, value: String)] =
            [("by", grouping), ("compare-previous", "true")]
            + request.given.filter { ["steps", "window"].contains($0.name) }
        let figures = try await request.figures("funnel", own)
        let last = figures.rows.map { $0.number("step") }.max() ?? 0
        let rows = figures.rows.filter { row in
            row.number("step") == last && row["difference"].number != nil
        }
        let metric = (rows.last?.text("name") ?? "").replacing("_", with: " ")
        let before = request.before
        page.notice = rows.isEmpty ? "Nobody began this funnel in both ranges." : nil
        page.panels = [
            Panel(
                anchor: "differences",
                heading: "Share of people who reach: \(metric)",
                explanation: "These days − the range before"
                    + (before.map { " (\($0.words))" } ?? "")
                    + ", in percentage points, with the 95 % interval. An interval around no difference may be chance.",
                chart: rows.isEmpty
                    ? nil
                    : IntervalChart.drawing(
                        rows.map { row in
                            let group = row.text("group")
                            let rates = [row.number("rate_from_first"), row.number("previous_rate_from_first")]
                                .map { NumberText.percent($0, alwaysDecimal: true) }
                            return difference(
                                row,
                                name: group == "total" ? "All" : group,
                                rates: "\(rates[0]), before \(rates[1]) · ",
                                p: row["p_value_adjusted"].number ?? row["p_value"].number,
                                interval: "difference_"
                            )
                        },
                        title: "Difference to the range before"
                    ),
                tables: [
                    TableView(
                        figures,
                        caption: "Both ranges",
                        address: request.address("funnel", own),
                        drills: [request.drill(grouping, in: "group")]
                    )
                ]
            )
        ]
        return page
    }

    /// - Parameters:
    ///   - rates: what to say before the p-value.
    ///   - prefix: of the columns of the interval.
    private static func difference(
        _ row: ReportRows.Row,
        name: String,
        rates: String = "",
        p: Double?,
        interval prefix: String = ""
    ) -> IntervalChart.Row {
        var interval: (low: Double, high: Double)?
        if let low = row[prefix + "ci_low"].number, let high = row[prefix + "ci_high"].number { interval = (low, high) }
        let words =
            p.map { p in
                (p < 0.05 ? "more than chance" : "may be chance")
                    + (p < 0.001 ? " · p < 0.001" : " · p = \(NumberText.grouped(p, decimals: 3))")
            } ?? "too few people to tell"
        return IntervalChart.Row(
            name: name,
            difference: row.number("difference"),
            interval: interval,
            note: rates + words
        )
    }
}
