import InboundLinks
import Reporting

/// Two refs, two values of another key, or two ranges of days: is the difference more than chance?
extension ReportPage {
    /// How many names are compared with the first one if none is chosen.
    private static let comparedNames = 8
    /// How many names the lists of the form have beside those that are chosen. An app may have thousands of refs.
    private static let offeredNames = 200
    /// The metric that is no funnel.
    private static let failedLogins = "login_failure"

    static func compare(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        if request["by"] == "range" {
            let report = request["report"] ?? "funnel"
            guard report != "funnel" else { return try await compareRanges(request) }
            return try await compareCounts(request, of: report)
        }
        let exploring = Exploring(request, by: request["by"] ?? "ref")
        let (kind, keys) = (exploring.keys.first ?? "ref", exploring.offered(.compare))
        guard keys.contains(kind) else {
            throw .invalid("‘by’ must be one of: \((keys + ["range"]).joined(separator: ", ")).")
        }
        return try await compareNames(request, kind: kind, exploring)
    }

    /// What is compared: values of the key, or the chosen days with those before.
    private static func tabs(_ request: ViewRequest, _ exploring: Exploring) -> Control {
        let (kept, isRange) = (funnelParameters(request), request["by"] == "range")
        let key = exploring.keys.first ?? "channel"
        let keys = key == "none" ? "channel" : exploring.keys.joined(separator: ",")
        let value = request.href(.compare, [("by", keys)] + kept)
        let before = request.href(.compare, [("by", "range"), ("group", key)] + kept)
        return .tabs(
            "Compare with",
            [
                Control.Tab(name: "another value", href: value, isCurrent: !isRange),
                Control.Tab(name: "the range before", href: before, isCurrent: isRange),
            ]
        )
    }

    private static func funnelParameters(_ request: ViewRequest) -> [(name: String, value: String)] {
        request.given.filter { StepChoices.fields.contains($0.name) }
    }

    // MARK: Names

    private static func compareNames(
        _ request: ViewRequest,
        kind: String,
        _ exploring: Exploring
    ) async throws(DashboardFailure) -> ReportPage {
        let values =
            ["ref", "channel"].contains(kind)
            ? try await request.names("\(kind)s", by: "touches") : try await request.values(of: kind).names
        // The report takes several names with commas between them.
        let seen = values.filter { !$0.contains(",") }
        let names = kind == "channel" ? Channel.allCases.map(\.rawValue) : seen
        let offered = Array(names.prefix(offeredNames))
        // The form sends the names of the key before, too.
        let isOfKey = request["of"] ?? kind == kind
        let (first, second): (String?, String?) =
            isOfKey ? (request["a"] ?? seen.first, request["b"]) : (seen.first, nil)
        let isMatured = try request.isOn("matured", usually: true)
        let mayBeLogins = request.choices("by", of: "logins").contains(kind)
        let areLogins = mayBeLogins && request["metric"] == failedLogins
        let things = ["ref", "channel"].contains(kind) ? "\(kind)s" : "values of \(Choice.words(kind))"
        var page = ReportPage()
        let metrics = [("", "who reach a step"), (failedLogins, "with a failed login")]
        let controls: [Control] =
            [
                tabs(request, exploring),
                .choice("Compare", "a", Choice.names(offered, chosen: first)),
                .choice(
                    "with",
                    "b",
                    Choice.names(offered.filter { $0 != first }, chosen: second, first: "all others")
                ),
            ]
            + (mayBeLogins
                ? [.choice("Share of people", "metric", Choice.list(metrics, chosen: areLogins ? failedLogins : ""))]
                : [])
        let kept = [View.groupsField]
        page.form = exploring.form(
            areLogins
                ? OptionsForm(request, keeping: kept, controls)
                : try await StepChoices.form(
                    request,
                    keeping: kept,
                    controls,
                    isMatured: isMatured,
                    usually: true
                )
        )
        page.form?.kept.append(("of", kind))
        let all = seen.filter { $0 != first }
        let shown = Panel.More.drawn(all, request, usually: comparedNames)
        let others = second ?? shown.joined(separator: ",")
        guard let first, !others.isEmpty else {
            page.notice = "There are no two \(things) to compare in these days."
            return page
        }
        let own: [(name: String, value: String)] =
            [("a", first), ("b", others), ("by", kind)]
            + (areLogins ? [("metric", failedLogins)] : funnelParameters(request))
        let figures = try await request.figures("compare", own)
        let rates = rates(figures.rows, a: first).sorted { $0.rate > $1.rate }
        if figures.unmet == nil, rates.allSatisfy({ $0.people == 0 }) {
            page.notice = areLogins ? "Nobody tried to log in in these days." : nobody(isMatured, "in these days")
        }
        let largest = rates.map(\.rate).max() ?? 0
        let more =
            second == nil
            ? Panel.More(request, names: all, usually: comparedNames, of: "other \(things)", by: "touches") : nil
        page.panels = [
            Panel(
                anchor: "rates",
                heading: areLogins
                    ? "Share of people with a failed login"
                    : "Share of people who reach: \(words(figures.rows.first, "metric"))",
                explanation: areLogins
                    ? "Of the people who tried to log in; each counts once." : isMatured ? matured(request) : allPeople,
                bars: rates.map { one in
                    Bar(
                        one.name,
                        figure:
                            "\(NumberText.percent(one.rate)) of \(NumberText.grouped(one.people)) people",
                        part: largest > 0 ? one.rate / largest : 0
                    )
                },
                more: more
            ),
            differences(
                figures.rows.map { row in
                    difference(row, name: row.text("b"), p: row["p_value"].number).reversed
                }.sorted { $0.difference > $1.difference },
                heading: "Difference to \(first)",
                of: "The other − \(first), so that what \(areLogins ? "fails more often" : "is better") has a plus",
                remark: figures.rows.count > 1
                    ? "Intervals and p-values are corrected for \(figures.rows.count) comparisons." : nil,
                table: TableView(
                    figures,
                    caption: "Comparison",
                    address: request.address("compare", own),
                    drills: [request.drill(kind, in: "b")]
                )
            ),
        ].map { $0.refused(figures.unmet) }
        return page
    }

    private static func rates(_ rows: [ReportRows.Row], a: String) -> [(name: String, rate: Double, people: Double)] {
        (rows.first.map { [(a, $0.number("a_rate"), $0.number("a_people"))] } ?? [])
            + rows.map { ($0.text("b"), $0.number("b_rate"), $0.number("b_people")) }
    }

    // MARK: Ranges

    private static func compareRanges(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let grouping = request["group"] ?? "channel"
        let isMatured = try request.isOn("matured", usually: true)
        let exploring = Exploring(request, by: grouping)
        var page = ReportPage()
        page.form = exploring.form(
            try await StepChoices.form(
                request,
                keeping: ["by"],
                rangeControls(request, exploring),
                isMatured: isMatured,
                usually: true
            ),
            group: ["none"] + exploring.offered(.compare)
        )
        let own: [(name: String, value: String)] =
            [("by", grouping), ("compare-previous", "true")] + funnelParameters(request)
        let span = request.spanUpToNow
        let figures = try await request.figures("funnel", own, of: span, areMain: true)
        let last = figures.rows.map { $0.number("step") }.max() ?? 0
        let rows = figures.rows.filter { $0.number("step") == last && $0["difference"].number != nil }
        if rows.isEmpty, figures.unmet == nil {
            page.notice = figures.incomparability.map(Self.sentence) ?? nobody(isMatured, "in both ranges")
        }
        page.panels = [
            differences(
                rows.map { row in
                    let group = row.text("group")
                    let rates = [row.number("rate_from_first"), row.number("previous_rate_from_first")]
                        .map { NumberText.percent($0) }
                    return difference(
                        row,
                        name: group,
                        rates: "\(rates[0]), before \(rates[1]) · ",
                        p: row["p_value_adjusted"].number ?? row["p_value"].number,
                        interval: "difference_"
                    )
                },
                heading: "Share of people who reach: \(words(rows.last, "name"))",
                of: "These days − the range before" + (request.before.map { " (\($0.words))" } ?? ""),
                remark: corrected(rows)
                    + (isMatured
                        ? "\(matured(request)) As much is left out at the end of the range before, to the "
                            + "same hour."
                        : "\(allPeople) So the range that ends later looks worse than it is."),
                table: TableView(
                    figures,
                    caption: "Both ranges",
                    address: request.address("funnel", own, of: span),
                    drills: [request.drill(grouping, in: "group")],
                    group: grouping
                )
            ).refused(figures.unmet)
        ]
        return page
    }

    private static func rangeControls(_ request: ViewRequest, _ exploring: Exploring) -> [Control] {
        [
            tabs(request, exploring),
            .choice(
                "Figures of",
                "report",
                Choice.list(["funnel"] + comparedReports.map(\.name), chosen: request["report"] ?? "funnel")
            ),
        ]
    }

    private static let allPeople = "All people count, also those whose window is not over and who still can."

    private static func nobody(_ isMatured: Bool, _ days: String) -> String {
        "Nobody began this funnel \(days)"
            + (isMatured ? ", with a window that is over. Choose more days, a shorter window, or all people." : ".")
    }

    /// What was corrected, of a funnel beside the preceding range.
    private static func corrected(_ rows: [ReportRows.Row]) -> String {
        let tests = rows.count { $0.text("group") != "total" && $0["p_value_adjusted"].number != nil }
        return tests > 1 ? "Intervals and p-values are corrected for \(tests) groups, without the total. " : ""
    }

    /// What "matured" means, for a reader.
    private static func matured(_ request: ViewRequest) -> String {
        "Like with like: only people count whose window of \(request["window"] ?? "7d") is over, so that nobody of them "
            + "still can reach a step."
    }

    private static func words(_ row: ReportRows.Row?, _ column: String) -> String {
        Choice.words(row?.text(column) ?? "")
    }

    /// - Parameters:
    ///   - difference: what is subtracted from what.
    ///   - remark: what else a reader must know.
    private static func differences(
        _ rows: [IntervalChart.Row],
        heading: String,
        of difference: String,
        remark: String?,
        table: TableView
    ) -> Panel {
        Panel(
            anchor: "differences",
            heading: heading,
            explanation: "\(difference), in percentage points, with the 95 % interval. An interval around no "
                + "difference may be chance." + (remark.map { " \($0)" } ?? ""),
            chart: rows.isEmpty ? nil : IntervalChart.drawing(rows, title: heading),
            tables: [table]
        )
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
            Verdict(pValue: p, low: interval?.low, high: interval?.high).rawValue
            + (p.map { $0 < 0.001 ? " · p < 0.001" : " · p = \(NumberText.grouped($0, decimals: 3))" } ?? "")
        return IntervalChart.Row(
            name: name,
            difference: row.number("difference"),
            interval: interval,
            note: rates + words
        )
    }

    // MARK: Counts of two ranges

    /// The reports whose figures are shown beside those of the range before, with those for which a page has room.
    private static let comparedReports: [(name: String, group: String, figures: [String])] = [
        ("channels", "channel", ["touches", "people", "authenticated_touches", "installs", "conversions", "value"]),
        ("refs", "ref", ["posts", "touches", "people", "installs", "conversions", "value"]),
        (
            "viral", "group",
            ["posts", "posters", "touches", "untraced_touches", "installs", "k", "installs_per_post"]
        ),
    ]

    private static func compareCounts(_ request: ViewRequest, of name: String) async throws(DashboardFailure)
        -> ReportPage
    {
        guard let report = comparedReports.first(where: { $0.name == name }) else {
            let names = ["funnel"] + comparedReports.map(\.name)
            throw .invalid("‘report’ must be one of: \(names.joined(separator: ", ")).")
        }
        let own = [(name: "compare-previous", value: "true")]
        let span = request.spanUpToNow
        let figures = try await request.figures(name, own, of: span, areMain: true)
            .limited(to: [report.group] + report.figures.flatMap { [$0, "previous_\($0)"] })
        let total = figures.total(named: report.group)
        var page = ReportPage()
        let key = report.group == "group" ? "ref" : report.group
        let exploring = Exploring(request, by: key)
        page.form = exploring.form(
            OptionsForm(request, keeping: ["by"], rangeControls(request, exploring)),
            group: [key]
        )
        page.cards = figures.columns.filter { report.figures.contains($0.name) }.map { column in
            Card(
                column.title,
                column.name,
                of: total,
                before: total?.number("previous_\(column.name)"),
                meaning: column.meaning.replacing("`", with: "")
            )
        }.map { card in figures.unmet.map(card.refused) ?? card }
        page.comparison = request.before.map { before in
            figures.incomparability.map(Self.sentence)
                ?? "Like with like: the range before has as many days (\(before.words))"
                + (before.endsWithin ? ", and ends at the same time of day as now." : ".")
                + (total?.tracedShare.map { " K is at least what it says: \($0) of touches are traced." } ?? "")
        }
        page.panels = [
            Panel(
                anchor: "counts",
                heading: "Each \(key)",
                tables: [
                    TableView(
                        figures,
                        caption: "Both ranges",
                        address: request.address(name, own, of: span),
                        isShown: true,
                        drills: [request.drill(key, in: report.group)],
                        group: "ref"
                    )
                ]
            ).refused(figures.unmet)
        ]
        return page
    }
}
