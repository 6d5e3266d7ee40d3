/// What people did, or did not: conditions that many ask for and few would write. Each is a choice of *Filter by*.
struct ReadyDeeds {
    let title: String
    let filters: [Filters.Filter]
    /// The fewest days that have figures of these people.
    let days: Int

    private init(_ title: String, with event: String, without other: String? = nil, days: Int = 1) {
        self.title = title
        filters = [(name: "with", value: event)] + (other.map { [(name: "without", value: $0)] } ?? [])
        self.days = days
    }

    static let all = [
        ReadyDeeds("have paid", with: "conversion[outcome=paid]"),
        ReadyDeeds(
            "paid, gone for 30 days",
            with: "conversion[outcome=paid]",
            without: "touch|app_open|conversion@30d",
            days: 90
        ),
        ReadyDeeds("posted", with: "feed_post[outcome=posted]"),
        ReadyDeeds("tapped twice or more", with: "touch>=2"),
        ReadyDeeds("installed", with: "install"),
    ]

    /// In the form that adds a condition, in place of a key. No key has a colon.
    var field: String { "\(Filters.peopleKey):\(title)" }

    func added(to filters: Filters) -> Filters {
        self.filters.reduce(filters) { $0.adding(Filters.peopleKey, $1.value, isExcluded: $1.name == "without") }
    }

    /// The same days, or earlier ones too, where there would be too few.
    func lengthened(_ span: DateSpan) -> DateSpan {
        var span = span
        span.from = min(span.from, DateSpan.day(span.through, plus: 1 - days))
        return span
    }
}
