import Reporting

/// Who came back in the calendar week after that of their first touch of the days, by ref and by channel: the report
/// `retention` over all cohorts together.
struct Staying {
    /// The groups that have rows of their own.
    private static let limit = 10
    private static let columns: Set = ["people", "retained", "rate", "value_per_person"]
    private static let sortField = "staying_sort"

    private let request: ViewRequest
    private let byRef: ReportRows
    private let byChannel: ReportRows

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        self.request = request
        byRef = try await request.figuresUnlessRefused("retention", Self.own("ref"), areMain: false)
        byChannel = try await request.figuresUnlessRefused("retention", Self.own("channel"), areMain: false)
    }

    /// The reports that a page with these figures reads together with its others.
    static func addresses(_ request: ViewRequest) -> [ReportAddress] {
        ["ref", "channel"].map { request.address("retention", own($0)) }
    }

    private static func own(_ key: String) -> [(name: String, value: String)] {
        [
            ("cohort", "touch_in_range"), ("period", "week"), ("at", "1"), ("pooled", "on"), ("by", key),
            ("limit", "\(limit)"),
        ]
    }

    /// The share of all people who came back.
    var card: Card {
        let total = byChannel.total(named: "group")
        let people = total?.number("people") ?? 0
        let card = Card(
            "Came back",
            "rate",
            of: total,
            note: people > 0 ? "of \(NumberText.grouped(people)) people" : "too early to say",
            meaning:
                "In the calendar week after that of their first touch in these days. Only people for whom it is over",
            text: { NumberText.percent($0) }
        )
        return byChannel.unmet.map(card.refused) ?? card
    }

    func panel() throws(DashboardFailure) -> Panel {
        var panel = Panel(
            anchor: "staying",
            heading: "Who came back",
            explanation:
                "People by their first touch in these days, and how many of them came back in the calendar week "
                + "after it, Monday to Sunday. Counted are those for whom that week is over."
        )
        if byRef.unmet == nil, byRef.total(named: "group")?.number("people") ?? 0 == 0 {
            panel.emptiness =
                "Nobody came in these days for whom the calendar week after is over. Choose more days, or earlier ones."
            return panel
        }
        panel.tables = [
            try table(byRef, key: "ref", caption: "Refs"), try table(byChannel, key: "channel", caption: "Channels"),
        ]
        panel.more = Panel.More(
            words: "At most \(Self.limit) refs, those of most people.",
            link: "More refs, week by week",
            href: request.href(.retention, [("cohort", "touch_in_range"), ("by", "ref")])
        )
        return panel.refused(byRef.unmet)
    }

    private func table(_ figures: ReportRows, key: String, caption: String) throws(DashboardFailure) -> TableView {
        let address = request.address("retention", Self.own(key))
        // The people behind a row are asked for by all of its names.
        let whole = Dictionary(figures.rows.map { ($0.text("group"), $0) }) { first, _ in first }
        let people = Drill(column: "retained") { row in
            whole[row.text("group")].flatMap { address.people(behind: "retained", of: $0) }
        }
        var table = TableView(
            figures.without("cohort"),
            caption: "\(caption): who came back",
            address: address,
            meter: "rate",
            isShown: true,
            drills: [request.drill(key, in: "group"), people],
            group: key,
            sorting: try .ofPage(request, figures, field: Self.sortField, usual: "retained")
        )
        table.keep(Self.columns)
        return table
    }
}
