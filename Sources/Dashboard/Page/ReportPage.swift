/// A page of one or more reports, for the template `report`: a form, tiles, and panels with charts and tables.
struct ReportPage {
    var form: OptionsForm?
    var cards: [Card] = []
    /// What the tiles are compared with.
    var comparison: String?
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

    /// One of several charts side by side.
    struct Picture {
        var name: String
        var drawing: String
    }

    /// Of the heading, unique in the page.
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
    /// What a reader of the chart must know.
    var footnotes: [String] = []
    var tables: [TableView] = []
}
