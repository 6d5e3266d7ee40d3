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
        ].map { card in figures.unmet.map(card.refused) ?? card }
        let outcomes = ["posted", "cancelled", "failed", "unconfirmed"]
        if figures.unmet == nil, outcomes.allSatisfy({ total?.number($0) ?? 0 == 0 }) {
            page.firstEvent = FirstEvent(request, .post)
        }
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
                        address: request.address("posts"),
                        meter: "posted",
                        isShown: true,
                        drills: [touchesOfPosts(request)],
                        sorting: try .ofPage(request, figures)
                    )
                ]
            ).refused(figures.unmet),
            try await eachPost(request),
        ]
        return page
    }

    /// Leads from a ref to what its posts brought, one by one.
    private static func touchesOfPosts(_ request: ViewRequest) -> Drill {
        Drill(column: "ref") { row in
            let ref = row.text("ref")
            guard ref != "total" else { return nil }
            return request.href(.breakdown, [("by", "post")], filters: request.filters.adding("ref", ref))
        }
    }

    /// The posts that brought most: when each was posted, and what it brought.
    private static func eachPost(_ request: ViewRequest) async throws(DashboardFailure) -> Panel {
        let own: [(name: String, value: String)] = [("by", "post"), ("limit", "20")]
        let figures = try await request.figures("breakdown", own)
        let panel = Panel(
            anchor: "each",
            heading: "Each post",
            explanation:
                "The posts whose links brought most touches in these days, whenever they were posted. The view "
                + "Breakdown has all of them, and by whom.",
            tables: [
                TableView(
                    figures,
                    caption: "Each post",
                    address: request.address("breakdown", own),
                    isShown: true,
                    sorting: Sorting(column: "touches", columns: ["touches", "installs", "conversions"]) { column in
                        request.href(.breakdown, [("by", "post"), ("sort", column)])
                    }
                )
            ]
        )
        return panel.refused(figures.unmet)
    }
}
