import Reporting
import Storage

/// Touches, people, installs and conversions, and who came back: in total, by period, by ref and by channel.
extension ReportPage {
    /// The figures that the page draws by day, as their tiles are chosen: names, columns of `channels` and meanings.
    private static let pictures: [(name: String, column: String, meaning: String)] = [
        ("Touches", "touches", "Taps and opens that a link brought"),
        ("People", "people", "Distinct people of these touches"),
        ("Installs", "installs", "First installs in these days"),
        ("Conversions", "conversions", "Goals reached in these days"), ("Value", "value", "Of these conversions"),
    ]

    static func overview(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let own = request.own
        let picture = try request.choice("picture", among: pictures.map(\.column))
        let card = try OverviewCards(request)
        // The total of refs is that of channels, and has the posts as well.
        let total = own + [("limit", "1")]
        let before = request.before
        // In the same pass as all others; a tile of its own says it of the picture alone.
        let changes = before == nil ? nil : addressOfChanges(request, picture)
        try await request.readTogether(
            [
                request.address("channels", own), request.address("refs", own), request.address("viral", comparedK),
                request.goalsAddress, card.address,
            ] + (before.map { [request.address("refs", total, of: $0)] } ?? [])
                + PeriodFigures.addresses(request, "channels", own) + Staying.addresses(request)
                + [changes].compactMap(\.self)
        )
        let channels = try await request.figures("channels", own)
        let refs = try await request.figuresUnlessRefused("refs", own)
        let staying = try await Staying(request)
        let days = try await PeriodFigures(request, "channels", own, group: "channel")
        var previous: ReportRows?
        if let before { previous = try await request.figuresUnlessRefused("refs", total, of: before, areMain: false) }

        var page = ReportPage()
        page.form = OptionsForm(request, keeping: request.view.pageFields, [.goal(request, try await request.goals())])
        let compared = previous?.incomparability == nil ? previous?.total(named: "ref") : nil
        let all = channels.total(named: "channel")
        var tiles: [(card: Card, test: ChangeTest?)] = pictures.map { name, column, meaning in
            var card = Card(
                column == "value" ? "\(name), \(request.app.profile.currency)" : name,
                column,
                of: all,
                before: compared?.number(column),
                meaning: meaning
            )
            card.href = request.href("picture", is: column == pictures[0].column ? nil : column)
            card.isChosen = column == picture
            if compared?.number(column) ?? 0 > 0, let own = ownOfChanges(request, column) {
                card.changes = request.href(.changes, own)
            }
            let change = (all?.number(column) ?? 0) - (compared?.number(column) ?? 0)
            return (card: card, test: column == "value" ? nil : ChangeTest.counts(days.pairs(column), change: change))
        }
        tiles.insert((staying.card(request), nil), at: 2)
        tiles += try await tilesOfPosts(request, refs, before: compared)
        let doubts = zip(tiles, ChangeTest.mayBeChance(tiles.map(\.test))).map { $0.card.direction != "same" && $1 }
        page.cards = zip(tiles, doubts).map { $1 ? $0.card.doubted : $0.card }
        let chance =
            (doubts.contains(true) ? " May be chance: differences of this size arise by chance." : "")
            + (days.areTooFewToTest ? " For counts, there are too few days to tell what is chance." : "")
        page.comparison = before.map { span in
            previous?.incomparability.map(Self.sentence) ?? "Changes are against the range before: \(span.words)"
                + (span.endsWithin ? ", up to the same time of day as now." : ".")
                + chance
        }
        if all?.number("touches") ?? 0 == 0 {
            page.notice = "Nothing came in through a link in these days. Choose other days."
        }
        var drawn = days.panel(pictures.filter { $0.column == picture }.map { ($0.name, $0.column) })
        if let told = zip(tiles, doubts).first(where: { $0.0.card.isChosen }), let card = told.0.card.changed,
            told.0.test != nil, !told.1, let own = ownOfChanges(request, picture)
        {
            let figures = try await request.figuresUnlessRefused(
                "changes",
                own,
                of: request.spanUpToNow,
                areMain: false
            )
            drawn.source = figures.carrier.map { carrier in
                Panel.More(words: "\(card): \(carrier).", link: "All changes", href: request.href(.changes, own))
            }
        }
        page.panels = [
            drawn, try card.ranking(refs, by: "ref", staying), try card.ranking(channels, by: "channel", staying),
            try await card.choice(),
        ]
        page.usualColumns = OverviewCards.usualColumns
        page.isSideBySide = true
        return page
    }

    /// What the report `changes` is asked about a figure of the tiles; nil if its page cannot mean it: it has no goal.
    private static func ownOfChanges(_ request: ViewRequest, _ column: String) -> [(name: String, value: String)]? {
        guard request["goal"] == nil || !["conversions", "value"].contains(column) else { return nil }
        return [("metric", column), ("by", ChangeCarrier.keys.joined(separator: ","))]
    }

    /// Nil for sums of money, of which the page does not tell what is chance.
    private static func addressOfChanges(_ request: ViewRequest, _ column: String) -> ReportAddress? {
        guard column != "value" else { return nil }
        return ownOfChanges(request, column).map { request.address("changes", $0, of: request.spanUpToNow) }
    }

    /// Those that lead to the views of posts. A post may have no property of the view's conditions.
    private static func tilesOfPosts(
        _ request: ViewRequest,
        _ refs: ReportRows,
        before: ReportRows.Row?
    ) async throws(DashboardFailure) -> [(card: Card, test: ChangeTest?)] {
        func decided(_ row: ReportRows.Row) -> (part: Int64, whole: Int64) {
            (row.integer("posts"), row.integer("posts") + row.integer("cancelled"))
        }
        // Why nothing is compared, the page says itself.
        let figures = try await request.figures("viral", comparedK, areMain: false)
        let (posts, viral) = (refs.total(named: "ref"), figures.total(named: "group"))
        var postRate = Card(
            "Post rate",
            "post_rate",
            of: posts,
            before: before?["post_rate"].number,
            note: "\(NumberText.grouped(posts?.number("posts") ?? 0)) posts",
            meaning: "Posted, of those who decided",
            text: { NumberText.percent($0) }
        )
        var k = Card(
            "K, traced",
            "k",
            of: viral,
            before: viral?["previous_k"].number,
            isRatio: true,
            note: viral?.number("posts") ?? 0 > 0
                ? "at least" + (viral?.tracedShare.map { "; \($0) of touches traced" } ?? "")
                : "no post is 7 days old",
            meaning: "What posts older than 7 days brought within 7 days: traced installs for each person who posted. "
                + "It grows with the number of days, so its change is against as many days before. The view Viral has "
                + "more",
            text: { NumberText.grouped($0) }
        )
        if let unmet = figures.unmet ?? refs.unmet { postRate = postRate.refused(unmet) }
        if let unmet = figures.unmet { k = k.refused(unmet) }
        (postRate.href, k.href) = (request.href(.posts), request.href(.viral, matureK))
        let test = posts.flatMap { posts in
            before.map { ChangeTest.shares(now: decided(posts), before: decided($0)) }
        }
        return [(postRate, test), (k, nil)]
    }
}
