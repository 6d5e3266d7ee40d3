import Reporting

/// Who was seen again 7 days after their first touch of the days, or later, and what people were worth until then, by
/// ref and by channel: the report `retention` over all cohorts together.
struct Staying {
    /// The refs that are counted: those of most people.
    private static let limit = 100
    static let words = "seen again 7 days later or after that, of those whose seventh day after is over"

    private let byRef: ReportRows
    private let byChannel: ReportRows

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        byRef = try await request.figuresUnlessRefused("retention", Self.own("ref"), areMain: false)
        byChannel = try await request.figuresUnlessRefused("retention", Self.own("channel"), areMain: false)
    }

    /// The reports that a page with these figures reads together with its others.
    static func addresses(_ request: ViewRequest) -> [ReportAddress] {
        ["ref", "channel"].map { request.address("retention", own($0)) }
    }

    private static func own(_ key: String) -> [(name: String, value: String)] {
        asked + [("by", key), ("limit", "\(limit)")]
    }

    private static let asked: [(name: String, value: String)] = [
        ("cohort", "touch_in_range"), ("period", "day"), ("at", "7"), ("return", "after"), ("pooled", "on"),
    ]

    private func figures(by key: String) -> ReportRows { key == "ref" ? byRef : byChannel }

    /// The share of all people who came back.
    func card(_ request: ViewRequest) -> Card {
        let total = byChannel.total(named: "group")
        let people = total?.number("people") ?? 0
        var card = Card(
            "Came back",
            "rate",
            of: total,
            note: people > 0 ? "of \(NumberText.grouped(people)) people" : "too early to say",
            meaning: ReportPage.sentence(Self.words) + " The view Retention has more",
            text: { NumberText.percent($0) }
        )
        if let unmet = byChannel.unmet { card = card.refused(unmet) }
        card.href = request.href(.retention, Self.asked)
        return card
    }

    /// The rows of a report by a key, each with those who came back; empty where nobody can have come back yet.
    func joined(to rows: ReportRows, by key: String) -> ReportRows {
        let figures = figures(by: key)
        let known = figures.rows.filter { $0.integer("people") > 0 }.map(\.cells)
        return rows.joined(
            ["retained", "rate", "value_per_person"],
            of: ReportRows(columns: figures.columns, rows: known),
            named: "group"
        )
    }

    /// Why nobody can have come back yet, or why it is not counted; nil if it is.
    func absence(by key: String) -> String? {
        let figures = figures(by: key)
        if let unmet = figures.unmet { return "Who came back: " + unmet.sentence }
        guard figures.total(named: "group")?.number("people") ?? 0 == 0 else { return nil }
        return "Nobody came in these days whose seventh day after is over. Choose more days, or earlier ones."
    }

    /// Where the figures of the report are that the card has beside its own.
    func source(_ request: ViewRequest, by key: String) -> Panel.More? {
        guard figures(by: key).unmet == nil else { return nil }
        return Panel.More(
            words: "‘Came back’ and ‘value by day 7’ are of Retention. The card's CSV does not have them.",
            link: "Retention by \(key)",
            href: request.href(.retention, Self.asked + [("by", key)])
        )
    }

    /// From a number of people who came back to these people. They are asked for by all names of the report's own row.
    func drill(_ request: ViewRequest, by key: String) -> Drill {
        let address = request.address("retention", Self.own(key))
        let whole = Dictionary(figures(by: key).rows.map { ($0.text("group"), $0) }) { first, _ in first }
        return Drill(column: "retained") { row in
            whole[row.text(key)].flatMap { address.people(behind: "retained", of: $0) }
        }
    }
}
