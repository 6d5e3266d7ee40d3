import Reporting

/// What became of the posts that people were asked for.
extension ReportPage {
    static func posts(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let figures = try await request.figures("posts")
        let total = figures.total(named: "ref")
        var page = ReportPage()
        page.cards = [
            Card("Posted", "posted", of: total, meaning: "Posts in these days that were posted"),
            Card("Cancelled", "cancelled", of: total, meaning: "Posts that people cancelled"),
            Card("Failed", "failed", of: total, meaning: "Posts that ended in an error"),
            Card("Unconfirmed", "unconfirmed", of: total, meaning: "Posts whose outcome was not reported"),
            Card(
                "Post rate",
                "post_rate",
                of: total,
                meaning: "Posted, of those who decided",
                text: { NumberText.percent($0) }
            ),
            Card("Posters", "posters", of: total, meaning: "Distinct people with a posted story"),
        ]
        page.panels = [
            try await .byPeriod(
                request,
                "posts",
                group: "ref",
                series: [("Posted", "posted"), ("Cancelled", "cancelled"), ("Failed", "failed")]
            ),
            Panel(
                anchor: "refs",
                heading: "By ref and composer",
                explanation: "A ref is the category of a post; the composer is the dialog that the person posted with.",
                tables: [
                    TableView(
                        figures,
                        caption: "Posts by ref and composer",
                        csv: request.csv("posts"),
                        meter: "posted",
                        isShown: true
                    )
                ]
            ),
        ]
        return page
    }
}
