import Reporting

/// Whether people bring people, and how long that takes.
extension ReportPage {
    static func viral(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let within = request["within"]
        // Without a time for each post, there is none that may be over.
        let own = request.own.filter { $0.name != "matured" || within != nil }
        let isMatured = try request.isOn("matured") && within != nil
        let figures = try await request.figures("viral", own)
        let total = figures.total(named: "group")
        var page = ReportPage()
        page.form = OptionsForm(
            request,
            keeping: request.view.pageFields,
            [
                .choice(
                    "By",
                    "by",
                    Choice.list(request.choices("by", of: "viral"), chosen: request["by"] ?? "ref")
                ),
                .text("Lookback", "lookback", request["lookback"] ?? "7d", size: 5),
                .choice("Within", "within", Choice.names(times, chosen: within, first: "any time")),
            ]
                + (within.map {
                    [.either("Posts", "matured", off: "all", on: "older than \($0)", isOn: isMatured)]
                } ?? [])
        )
        if figures.unmet == nil, total?.number("posts") ?? 0 == 0 { page.firstEvent = FirstEvent(request, .post) }
        page.cards = [
            Card("Posts", "posts", of: total, meaning: "Feed posts in these days that were posted"),
            Card("Posters", "posters", of: total, meaning: "Distinct people who posted"),
            Card("Touches", "touches", of: total, meaning: "Touches that came from a known post"),
            Card("People", "people", of: total, meaning: "Distinct people of these touches"),
            Card("Installs", "installs", of: total, meaning: "Installs that a post brought"),
            Card(
                "Untraced touches",
                value: NumberText.grouped(total?.number("untraced_touches") ?? 0),
                note: "from no known post",
                meaning: "Touches with a ref that came from no known post. They are in no other figure here"
            ),
            Card(
                "K, traced",
                "k",
                of: total,
                note: "at least" + (total?.tracedShare.map { "; \($0) of touches traced" } ?? ""),
                meaning: "Traced installs for each person who posted. Above 1, people bring more people than they are. "
                    + "It grows with the number of days",
                text: { NumberText.grouped($0) }
            ),
            Card(
                "Installs per post",
                "installs_per_post",
                of: total,
                note: "at least",
                meaning: "Traced installs for each post. It does not grow with the number of days",
                text: { NumberText.grouped($0, decimals: 3) }
            ),
            Card(
                "Median cycle",
                "cycle_median_seconds",
                of: total,
                note: "from post to install",
                meaning: "From a post to the first install that it brought",
                text: { NumberText.duration(seconds: $0) }
            ),
        ].map { card in figures.unmet.map(card.refused) ?? card }
        let grouping = request["by"] ?? "ref"
        let drill = request.drill(grouping, in: "group")
        let groups = figures.rows.filter { $0.text("group") != "total" }
        var panel = Panel(
            anchor: "groups",
            heading: "K by \(Choice.words(grouping))",
            explanation: "K: installs that can be traced to a post, for each person who posted. "
                + (within.map { explanation(within: $0, isMatured: isMatured) }
                    ?? "With ‘Within’, each post has the same time.")
                + " A poster counts once and what their posts bring adds up, so K grows with the number of days: "
                + "compare ranges of one length, or installs per post."
        )
        panel.drawBars(request, groups, names: ["group"], column: "k", of: "with K above 0", drill: drill) { row in
            "\(NumberText.grouped(row.number("k"), fixed: true)) · \(NumberText.grouped(row.number("installs"))) installs"
                + ", \(NumberText.grouped(row.number("posters"))) posters"
        }
        if panel.bars.isEmpty { panel.emptiness = "No install in these days can be traced to a post." }
        panel.tables = [
            TableView(
                figures,
                caption: "Viral",
                address: request.address("viral", own),
                isShown: true,
                drills: [drill],
                group: grouping,
                sorting: try .ofPage(request, figures)
            )
        ]
        if let untraced = total?["untraced_touches"].number, untraced > 0 {
            panel.footnotes.append(
                "Untraced: \(NumberText.grouped(untraced)) touches have a ref, but came from no known post. They are in no "
                    + "other figure here, and not in K, which is at least what it says: "
                    + "\(total?.tracedShare ?? "–") of the touches are traced."
            )
        }
        page.panels = [panel.refused(figures.unmet)]
        return page
    }

    /// K over any days, of posts that have had their time.
    static let matureK: [(name: String, value: String)] = [("by", "none"), ("within", "7d"), ("matured", "on")]
    /// The same beside as many days before.
    static let comparedK = matureK + [(name: "compare-previous", value: "true")]

    /// How long after a post its touches and installs count. The address may have any other.
    private static let times = ["1d", "3d", "7d", "14d", "30d"]

    private static func explanation(within: String, isMatured: Bool) -> String {
        "Posts of these days, and what each brought within \(within). "
            + (isMatured
                ? "Only posts that are older than \(within) count, so that each has had all of this time."
                : "Posts that are not older than \(within) have had less time. ‘Posts’ leaves them out.")
    }
}

extension ReportRows.Row {
    /// Of a row of `viral`: the share of touches of posts that can be traced to one, as text; nil without touches.
    var tracedShare: String? {
        guard let untraced = self["untraced_touches"].number else { return nil }
        let traced = number("touches")
        return traced + untraced > 0 ? NumberText.percent(traced / (traced + untraced)) : nil
    }
}
