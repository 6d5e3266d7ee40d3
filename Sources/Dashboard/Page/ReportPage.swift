/// A page of one or more reports, for the template `report`: a form, tiles, and panels with charts and tables.
struct ReportPage {
    var form: OptionsForm?
    /// Which columns the tables show.
    var columns: Chooser?
    var cards: [Card] = []
    /// What the tiles are compared with.
    var comparison: String?
    /// Of an app without events.
    var firstEvent: FirstEvent?
    /// Why there are no figures.
    var notice: String?
    var panels: [Panel] = []
    /// The columns of the tables that are shown at once, if the address names none; nil: all.
    var usualColumns: Set<String>?
    /// Whether two panels fit side by side.
    var isSideBySide = false

    /// Words that may stand alone.
    static func sentence(_ words: String) -> String { "\(words.prefix(1).uppercased())\(words.dropFirst())." }
}

/// A heading with a chart, the tables of its figures, and what both mean.
struct Panel {
    /// A swatch of the legend.
    struct Swatch {
        var cssClass: String
        var word: String
        var meaning: String
    }

    /// A name that the tables use, and what it means.
    struct Term {
        var name: String
        var meaning: String
    }

    /// One of several charts side by side.
    struct Picture {
        var name: String
        var drawing: String
    }

    /// That not all of a list is drawn, and where the rest is.
    struct More {
        var words: String
        var link: String?
        var href: String?
        /// Nil if the drawn ones are not chosen by name.
        var chooser: Chooser?
    }

    /// The `id` of the heading, unique in the page.
    var anchor: String
    var heading: String
    var explanation: String?
    /// Other contents of the panel.
    var tabs: [Control.Tab] = []
    /// Why there is no chart.
    var emptiness: String?
    var legend: [Swatch] = []
    var chart: String?
    var pictures: [Picture] = []
    var bars: [Bar] = []
    var heat: HeatMap?
    var more: More?
    var terms: [Term] = []
    /// What a reader of the chart must know.
    var footnotes: [String] = []
    /// Where figures are that the tables have from elsewhere; nil if they have none.
    var source: More?
    var tables: [TableView] = []

    /// The same panel without the figures that cannot mean the conditions of the view; itself if all can.
    func refused(_ unmet: Unmet?) -> Panel {
        unmet.map { Panel(anchor: anchor, heading: heading, explanation: explanation, emptiness: $0.sentence) } ?? self
    }
}

extension Panel.More {
    /// How many can be drawn at most.
    private static let limit = 60

    /// The names that the request chooses; nil if it chooses none by name.
    private static func chosen(_ request: ViewRequest) -> Set<String>? {
        let field = request[View.groupsField]
        return field == "all" ? nil : field.map { Set(JoinedFields.names(in: $0)) }
    }

    /// What is drawn of a list: the names that the request chooses, all, or the first.
    ///
    /// - Parameter usual: how many are drawn without a choice, or if none of the chosen names is there.
    static func drawn<Item>(
        _ items: [Item],
        _ request: ViewRequest,
        usually usual: Int,
        name: (Item) -> String
    ) -> [Item] {
        let found = chosen(request).map { chosen in items.filter { chosen.contains(name($0)) } } ?? []
        guard found.isEmpty else { return Array(found.prefix(limit)) }
        return Array(items.prefix(request[View.groupsField] == "all" ? limit : usual))
    }

    static func drawn(_ names: [String], _ request: ViewRequest, usually usual: Int) -> [String] {
        drawn(names, request, usually: usual) { $0 }
    }

    /// - Parameters:
    ///   - names: of all that could be drawn.
    ///   - usual: how many are drawn unless others are asked for.
    ///   - things: what they are: `groups`.
    ///   - order: what decides which are drawn: `people`.
    ///   - first: what those are that are drawn: `largest`.
    /// - Returns: nil if all are drawn, and would be anyway.
    init?(
        _ request: ViewRequest,
        names: [String],
        usually usual: Int,
        of things: String,
        by order: String,
        first: String = "largest"
    ) {
        guard names.count > usual else { return nil }
        let (drawn, count) = (Self.drawn(names, request, usually: usual), names.count)
        let isChosen = Self.chosen(request).map { !$0.isDisjoint(with: names) } ?? false
        let isAll = !isChosen && drawn.count > usual
        words =
            "\(drawn.count) of \(count) \(things), \(isChosen ? "as chosen" : "the \(first) by \(order)")."
            + (drawn.count < count && isAll ? " The table, or its CSV, has the others." : "")
        let others = request.given.filter { $0.name != View.groupsField }
        link = isAll ? "Show \(usual)" : count <= Self.limit ? "Show all \(count)" : "Show \(Self.limit)"
        href = request.href(request.view, isAll ? others : others + [(View.groupsField, "all")])
        chooser = Chooser(
            request,
            summary: "Choose which",
            legend: "What to draw",
            button: "Draw these",
            usualName: "The \(first) \(usual)",
            field: View.groupsField,
            fields: JoinedFields.groups,
            names.map { ($0, $0, drawn.contains($0)) }
        )
    }
}
