/// A page of one or more reports, for the template `report`: a form, tiles, and panels with charts and tables.
struct ReportPage {
    var form: OptionsForm?
    var cards: [Card] = []
    /// What the tiles are compared with.
    var comparison: String?
    /// Of an app without events.
    var firstEvent: FirstEvent?
    /// Why there are no figures.
    var notice: String?
    var panels: [Panel] = []
    /// Whether two panels fit side by side.
    var isSideBySide = false
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
    }

    /// The `id` of the heading, unique in the page.
    var anchor: String
    var heading: String
    var explanation: String?
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
    var tables: [TableView] = []

    /// The same panel without the figures that cannot mean the conditions of the view; itself if all can.
    func refused(_ unmet: Unmet?) -> Panel {
        unmet.map { Panel(anchor: anchor, heading: heading, explanation: explanation, emptiness: $0.sentence) } ?? self
    }
}

extension Panel.More {
    /// How many can be drawn at most.
    private static let limit = 60

    /// How many of a list to draw.
    static func count(_ request: ViewRequest, usually usual: Int) -> Int {
        request[View.groupsField] == "all" ? limit : usual
    }

    /// - Parameters:
    ///   - count: how many there are.
    ///   - usual: how many are drawn unless all are asked for.
    ///   - things: what they are: `groups`.
    ///   - order: what decides which are drawn: `people`.
    /// - Returns: nil if all are drawn, and would be anyway.
    init?(_ request: ViewRequest, count: Int, usually usual: Int, of things: String, by order: String) {
        guard count > usual else { return nil }
        let drawn = min(count, Self.count(request, usually: usual))
        let others = request.given.filter { $0.name != View.groupsField }
        let isAll = drawn > usual
        words =
            "\(drawn) of \(count) \(things), the largest by \(order)."
            + (drawn < count && isAll ? " The table, or its CSV, has the others." : "")
        link = isAll ? "Show \(usual)" : count <= Self.limit ? "Show all \(count)" : "Show \(Self.limit)"
        href = request.href(request.view, isAll ? others : others + [(View.groupsField, "all")])
    }
}
