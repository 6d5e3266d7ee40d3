import Reporting

/// How logins end, and with which errors.
extension ReportPage {
    /// What Facebook's codes mean, as its documentation says.
    private static let meanings: [Double: String] = [
        1: "an unknown error at Facebook", 2: "Facebook was away for a moment", 4: "too many calls by the app",
        10: "the app has no permission for it", 100: "a wrong parameter", 102: "the session has ended",
        190: "the token has expired or is not valid", 200: "a permission was not granted",
        341: "the app is at its limit", 368: "blocked for a time because of Facebook’s policies",
        4201: "the person closed the dialog",
    ]

    /// `4201: the person closed the dialog`; a code that nobody knows alone.
    private static func words(of row: ReportRows.Row) -> ReportCell {
        let code = row["error_code"]
        guard let text = code.plainText, let meaning = code.number.flatMap({ meanings[$0] }) else { return code }
        return .text("\(text): \(meaning)")
    }

    static func logins(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        // Times are those of the chart.
        let length = request.periodKey
        let own = length == nil ? request.own : []
        let grouping = length == nil ? request["by"] ?? "none" : "none"
        let figures = try await request.figures("logins", own)
        let all = figures.rows.filter { grouping == "none" || $0.text("group") == "total" }
        let total = all.last
        let granted = all.first { $0.text("outcome") == "granted" }
        let keys = request.choices("by", of: "logins").filter { !ViewRequest.periods.contains($0) }
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [.choice("By", "by", Choice.list(keys, chosen: grouping))]
        )
        page.cards = [
            Card("Logins", "attempts", of: total, meaning: "Attempts to log in"),
            Card("People", "people", of: total, meaning: "Distinct people who tried to log in"),
            Card(
                "Granted",
                "share",
                of: granted,
                meaning: "Of all attempts, those that ended in a login",
                text: { NumberText.percent($0) }
            ),
            Card(
                "People who got in",
                "people",
                of: granted,
                meaning: "Distinct people with a granted login"
            ),
        ].map { card in figures.unmet.map(card.refused) ?? card }
        var panel = Panel(
            anchor: "outcomes",
            heading: "How logins end",
            explanation:
                "Attempts by outcome and Facebook's error. Somebody who cancelled and tried again is in two rows."
        )
        panel.drawBars(
            request,
            figures.replacing("error_code", words(of:)).rows.filter { row in
                row.text("outcome") != "total" && (grouping == "none" || row.text("group") == "total")
            },
            names: ["outcome", "error_code"],
            column: "attempts",
            of: "outcomes"
        ) { row in
            NumberText.grouped(row.number("attempts"))
                + (row["share"].number.map { " · " + NumberText.percent($0) } ?? "")
        }
        if panel.bars.isEmpty { panel.emptiness = "No logins in these days." }
        let key = grouping == "none" ? "app_version" : grouping
        panel.source = Panel.More(
            words: "Do logins fail more often with one \(Choice.words(key)) than with another, or is it chance?",
            link: "Compare them",
            href: request.href(.compare, [("by", key), ("metric", "login_failure")])
        )
        panel.tables = [
            TableView(
                figures,
                caption: "Logins",
                address: request.address("logins", own),
                isShown: true,
                drills: [request.drill(grouping, in: "group")]
            )
        ]
        page.panels = [try await overTime(request, by: length ?? request.span.period), panel.refused(figures.unmet)]
        return page
    }

    /// The attempts of each period, and the shares of them that were granted and that failed.
    private static func overTime(_ request: ViewRequest, by length: String) async throws(DashboardFailure) -> Panel {
        let figures = try await request.figures("logins", [("by", length)])
        let rows = Dictionary(grouping: figures.rows) { $0.text("period") }
        let periods = ChartPeriods(rows.keys.sorted(), of: length, in: request.span, today: request.today)
        func counts(_ outcome: String) -> [Double] {
            periods.starts.map { start in
                (rows[start] ?? []).filter { $0.text("outcome") == outcome }.reduce(0) { $0 + $1.number("attempts") }
            }
        }
        let attempts = counts("total")
        func shares(_ outcome: String) -> [Double] { zip(counts(outcome), attempts).map { $1 > 0 ? $0 / $1 : 0 } }
        var panel = Panel(anchor: "periods", heading: "By \(length)")
        if attempts.contains(where: { $0 > 0 }) {
            panel.chart = PeriodChart.drawing(
                periods,
                series: [
                    .init(name: "Attempts", cssClass: "series-0", values: attempts),
                    .init(name: "Granted", cssClass: "series-1", values: shares("granted"), isRate: true),
                    .init(name: "Failed", cssClass: "series-2", values: shares("failed"), isRate: true),
                ]
            )
            panel.footnotes = periods.notes
        } else {
            panel.emptiness = "No logins in these days."
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Logins by \(length)",
                address: request.address("logins", [("by", length)]),
                remark: { periods.remark($0.text("period")) },
                drills: [request.drillDays(of: length)]
            )
        ]
        return panel.refused(figures.unmet)
    }
}
