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
        let grouping = request["by"] ?? "none"
        let figures = try await request.figures("logins", request.own)
        let all = figures.rows.filter { grouping == "none" || $0.text("group") == "total" }
        let total = all.last
        let granted = all.first { $0.text("outcome") == "granted" }
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            [.choice("By", "by", Choice.list(request.choices("by", of: "logins"), chosen: grouping))]
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
        panel.tables = [
            TableView(
                figures,
                caption: "Logins",
                address: request.address("logins", request.own),
                isShown: true,
                drills: [request.drill(grouping, in: "group")]
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
