import Reporting
import Storage

/// Touches, people, installs and conversions: in total, by period, by channel and by ref; and who came back.
extension ReportPage {
    static func overview(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.own
        var addresses = [
            request.address("channels", own), request.address("refs", own), request.address("viral", matureK),
            request.goalsAddress,
        ]
        if let before = request.before { addresses.append(request.address("channels", own, of: before)) }
        try await request.readTogether(
            addresses + Panel.periodAddresses(request, "channels", own) + Staying.addresses(request)
        )
        let channels = try await request.figures("channels", own)
        let refs = try await request.figuresUnlessRefused("refs", own)
        let staying = try await Staying(request)
        let viral = try await request.figures("viral", matureK)
        let before = request.before
        let previous: ReportRows?
        if let before { previous = try await request.figures("channels", own, of: before) } else { previous = nil }

        var page = ReportPage()
        page.form = OptionsForm(request, [.goal(request, try await request.goals())])
        page.cards = cards(
            total: channels.total(named: "channel"),
            before: previous?.incomparability == nil ? previous?.total(named: "channel") : nil,
            posts: refs.total(named: "ref"),
            viral: viral.total(named: "group"),
            unmet: (refs.unmet, viral.unmet),
            currency: request.app.profile.currency,
            staying: staying.card
        )
        page.comparison = before.map { span in
            previous?.incomparability.map(Self.sentence) ?? "Changes are against the range before: \(span.words)"
                + (span.endsWithin ? ", up to the same time of day as now." : ".")
        }
        if channels.total(named: "channel")?.number("touches") ?? 0 == 0 {
            page.notice = "Nothing came in through a link in these days. Choose other days."
        }
        page.panels = [
            try await .byPeriod(
                request,
                "channels",
                own,
                group: "channel",
                series: [("Touches", "touches"), ("Installs", "installs"), ("Conversions", "conversions")]
            ),
            try staying.panel(),
            Panel(
                anchor: "channels",
                heading: "Channels",
                tables: [
                    TableView(
                        channels,
                        caption: "Channels",
                        address: request.address("channels", own),
                        meter: "touches",
                        isShown: true,
                        drills: [request.drill("channel")],
                        sorting: try .ofPage(request, channels, field: "channels_sort")
                    )
                ]
            ),
            Panel(
                anchor: "refs",
                heading: "Refs",
                explanation: "A ref is the category of a post. Post rate: posted, of those who decided.",
                tables: [
                    TableView(
                        refs,
                        caption: "Refs",
                        address: request.address("refs", own),
                        meter: "posts",
                        isShown: true,
                        drills: [request.drill("ref")],
                        sorting: try .ofPage(request, refs, field: "refs_sort")
                    )
                ]
            ).refused(refs.unmet),
        ]
        return page
    }

    private static func cards(
        total: ReportRows.Row?,
        before: ReportRows.Row?,
        posts: ReportRows.Row?,
        viral: ReportRows.Row?,
        unmet: (posts: Unmet?, viral: Unmet?),
        currency: String,
        staying: Card
    ) -> [Card] {
        func count(_ name: String, _ column: String, _ meaning: String) -> Card {
            Card(name, column, of: total, before: before?.number(column), meaning: meaning)
        }
        /// Of posts, which may have no property of the view's conditions.
        func ofPosts(_ card: Card, _ unmet: Unmet?) -> Card { unmet.map(card.refused) ?? card }
        return [
            count("Touches", "touches", "Taps and opens that a link brought"),
            count("People", "people", "Distinct people of these touches"),
            staying,
            count("Installs", "installs", "First installs in these days"),
            count("Conversions", "conversions", "Goals reached in these days"),
            count("Value, \(currency)", "value", "Of these conversions"),
            ofPosts(
                Card(
                    "Post rate",
                    "post_rate",
                    of: posts,
                    note: "\(NumberText.grouped(posts?.number("posts") ?? 0)) posts",
                    meaning: "Posted, of those who decided",
                    text: { NumberText.percent($0) }
                ),
                unmet.viral ?? unmet.posts
            ),
            ofPosts(
                Card(
                    "K, traced",
                    "k",
                    of: viral,
                    note: viral?.number("posts") ?? 0 > 0
                        ? "at least" + (viral?.tracedShare.map { "; \($0) of touches traced" } ?? "")
                        : "no post is 7 days old",
                    meaning: "What posts older than 7 days brought within 7 days: traced installs for each person who "
                        + "posted. It grows with the number of days. The view Viral has more",
                    text: { NumberText.grouped($0) }
                ),
                unmet.viral
            ),
        ]
    }
}
