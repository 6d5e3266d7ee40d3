import Reporting

/// The cards below the picture of the first page: six rows each, a click on which filters, and a way to all.
struct OverviewCards {
    /// What the third one counts by, as chosen; at first by country, which is read faster than pages and posters.
    private static let keys: [(key: String, title: String)] = [
        ("country", "Countries"), ("app_version", "Versions"), ("page", "Pages"), ("link", "Links"),
        ("poster", "Posters"),
    ]
    private static let rows = 6
    /// The columns that the tables show if the address names none.
    static let usualColumns: Set = ["people", "installs", "retained", "rate", "value_per_person"]

    private let request: ViewRequest
    private let key: String
    private let own: [(name: String, value: String)]
    /// The report of the third card.
    var address: ReportAddress { request.address("breakdown", own) }

    init(_ request: ViewRequest) throws(DashboardFailure) {
        self.request = request
        key = try request.choice("card", among: Self.keys.map(\.key))
        own = Self.breakdown(request, by: key) + [("limit", "\(Self.rows)")]
    }

    private static func breakdown(_ request: ViewRequest, by key: String) -> [(name: String, value: String)] {
        request.own + [("by", key), ("sort", "people"), ("rates", "true")]
    }

    private func all(by key: String, _ title: String) -> Panel.More {
        let href = request.href(.breakdown, Self.breakdown(request, by: key))
        return Panel.More(words: "", link: "All \(title.lowercased())", href: href)
    }

    /// Refs or channels: those first from whom most people came back.
    ///
    /// - Parameter figures: of the report `refs` or `channels`.
    func ranking(_ figures: ReportRows, by key: String, _ staying: Staying) throws(DashboardFailure) -> Panel {
        let title = key == "ref" ? "Refs" : "Channels"
        let joined = staying.joined(to: figures, by: key)
        var table = TableView(
            joined,
            caption: title,
            address: request.address(key + "s", request.own),
            meter: "retained",
            isShown: true,
            drills: [request.drill(key), staying.drill(request, by: key)],
            sorting: try .ofPage(request, joined, field: "\(key)s_sort", usual: "retained"),
            limit: Self.rows
        )
        table.rename([
            "retained": "came back", "rate": "came back, %",
            "value_per_person": "value by day 7",
        ])
        // The columns that are left empty are seen only if somebody chooses them.
        if request[View.columnsField] == nil { table.remark = nil }
        var panel = Panel(
            anchor: key + "s",
            heading: title,
            explanation: "\(key == "ref" ? "A ref is the category of a post. " : "")Came back: \(Staying.words).",
            more: all(by: key, title),
            footnotes: [staying.absence(by: key)].compactMap(\.self),
            tables: [table]
        )
        panel.source = staying.source(request, by: key)
        return panel.refused(figures.unmet)
    }

    /// The third card.
    func choice() async throws(DashboardFailure) -> Panel {
        let figures = try await request.figuresUnlessRefused("breakdown", own, areMain: false)
        let title = Self.keys.first { $0.key == key }?.title ?? ""
        let person = Drill(column: "poster") { row in
            let kind = row.text("poster_kind")
            return kind.isEmpty ? nil : PersonLink(kind: kind, id: row.text("poster")).href
        }
        let table = TableView(
            figures,
            caption: title,
            address: address,
            meter: "people",
            isShown: true,
            drills: [key == "poster" ? person : request.drill(key)]
        )
        var panel = Panel(anchor: "card", heading: title, more: all(by: key, title), tables: [table])
            .refused(figures.unmet)
        let shown = Set(People.hidden(in: Self.keys.map(\.key)))
        panel.tabs = Self.keys.filter { shown.contains($0.key) }.map { one, title in
            let href = request.href("card", is: one == Self.keys[0].key ? nil : one)
            return Control.Tab(name: title, href: href, isCurrent: one == key)
        }
        return panel
    }
}
