import Reporting

/// What became of the posts that people were asked for.
extension ReportPage {
    static func posts(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let figures = try await request.figures("posts")
        let total = figures.total(named: "ref")
        let isOfEach = try request.isOn("each")
        var page = ReportPage()
        page.form = try await form(request, isOfEach: isOfEach)
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
        page.panels = isOfEach ? [try await eachPost(request)] : try await byRef(request, figures)
        return page
    }

    private static func byRef(_ request: ViewRequest, _ figures: ReportRows) async throws(DashboardFailure) -> [Panel] {
        [
            try await PeriodFigures(request, "posts", group: "ref")
                .panel([("Posted", "posted"), ("Cancelled", "cancelled"), ("Failed", "failed")]),
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
                        sorting: try .ofPage(request, figures, field: "refs_sort")
                    )
                ]
            ).refused(figures.unmet),
        ]
    }

    /// Leads from a ref to what its posts brought, one by one.
    private static func touchesOfPosts(_ request: ViewRequest) -> Drill {
        Drill(column: "ref") { row in
            guard Sorting.end(row) == nil else { return nil }
            return request.href(.breakdown, [("by", "post")], filters: request.filters.adding("ref", row.text("ref")))
        }
    }

    // MARK: Each post

    /// How many are shown.
    private static let shownPosts = 50
    private static let fewestTouches = "touches:reverse"
    private static let orders = [
        ("touches", "most touches"), (fewestTouches, "fewest touches"), ("installs", "most installs"),
        ("conversions", "most conversions"), ("value", "most value"), ("posted_at", "newest"),
        ("posted_at:reverse", "oldest"),
    ]

    private static func form(_ request: ViewRequest, isOfEach: Bool) async throws(DashboardFailure) -> OptionsForm {
        let order = request["sort"] ?? "touches"
        func each(_ title: String, by first: String) -> Control.Tab {
            Control.Tab(
                name: title,
                href: request.href(.posts, [("each", "true"), ("sort", first)]),
                isCurrent: isOfEach && (first == fewestTouches) == (order == fewestTouches)
            )
        }
        let kinds = Control.tabs(
            "Show",
            [
                Control.Tab(name: "by ref and composer", href: request.href(.posts), isCurrent: !isOfEach),
                each("each post", by: "touches"), each("those that nobody tapped", by: fewestTouches),
            ]
                + People.hidden(in: ["poster"]).map { key in
                    Control.Tab(
                        name: "posters",
                        href: request.href(.breakdown, [("by", key), ("sort", "installs")]),
                        isCurrent: false
                    )
                }
        )
        guard isOfEach else { return OptionsForm(request, keeping: ["refs_sort"], [kinds]) }
        var orders = Choice.list(orders, chosen: order)
        // A click on a heading asks for any.
        if !orders.contains(where: \.isChosen) {
            orders.append(Choice(value: order, title: Choice.words(order), isChosen: true))
        }
        return OptionsForm(
            request,
            keeping: ["each"],
            [
                kinds, .choice("First", "sort", orders),
                .goal(request, try await request.goals()),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
                .text("Rows", "limit", request["limit"] ?? String(shownPosts), size: 4),
            ]
        )
    }

    /// The posts of these days, those that nobody tapped too, and what each brought.
    private static func eachPost(_ request: ViewRequest) async throws(DashboardFailure) -> Panel {
        let figures = try await request.figures("posts", request.own, limit: shownPosts)
        // The people of a post are those of its row there, which must be one of those that are shown. Filters of posts
        // would be filters of touches there.
        let people = ReportAddress(
            report: "breakdown",
            parameters: request.span.parameters + [("by", "post"), ("limit", "10000")]
                + request.own.filter { ["goal", "lookback"].contains($0.name) } + request.filters.ofPeople
        )
        let drills = ["people", "installs", "conversions"].map { column in
            Drill(column: column) { Sorting.end($0) == nil ? people.people(behind: column, of: $0) : nil }
        }
        return Panel(
            anchor: "each",
            heading: "Each post",
            explanation:
                "The posts of these days, and what they brought in these days. ‘Fewest touches’ begins with those that "
                + "nobody tapped.",
            tables: [
                TableView(
                    figures,
                    caption: "Each post",
                    address: request.address("posts", request.own),
                    meter: "touches",
                    isShown: true,
                    drills: drills,
                    sorting: Sorting(
                        request,
                        SortOrder(request["sort"] ?? "touches"),
                        columns: request.choices("sort", of: "posts")
                    )
                )
            ]
        ).refused(figures.unmet)
    }
}
