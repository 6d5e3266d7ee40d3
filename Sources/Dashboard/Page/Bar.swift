/// A line of a bar chart: a name, a figure, and a bar below both. Names may be long, so they are texts of the page that
/// wrap, and not of a drawing.
struct Bar {
    /// As HTML, with places to break.
    var name: String
    var figure: String
    var meter: String
    /// The URL of the bar's own figures.
    var drill: String?

    /// - Parameter part: the length of the bar, of the longest one.
    init(_ name: String, figure: String, part: Double, drill: String? = nil) {
        self.drill = drill
        self.name = BreakableText.html(name)
        self.figure = figure
        meter = Meter.drawing(part)
    }
}

extension Panel {
    private static let barLimit = 12

    /// Draws the largest rows of a report as bars, and says so if there are more.
    ///
    /// - Parameters:
    ///   - names: the columns that name a row.
    ///   - value: what the length of a bar says; by default the number of the column.
    ///   - keepsOrder: whether all rows are drawn, in their own order.
    ///   - things: what the rows are.
    ///   - drill: where a row leads.
    ///   - figure: the text of a row's number.
    mutating func drawBars(
        _ request: ViewRequest,
        _ rows: [ReportRows.Row],
        names: [String],
        column: String,
        value: ((ReportRows.Row) -> Double)? = nil,
        keepsOrder: Bool = false,
        of things: String,
        drill: Drill? = nil,
        figure: (ReportRows.Row) -> String
    ) {
        let value = value ?? { $0.number(column) }
        var rows = rows.filter { value($0) > 0 }
        if !keepsOrder { rows.sort { value($0) > value($1) } }
        let usual = keepsOrder ? rows.count : Self.barLimit
        func name(_ row: ReportRows.Row) -> String {
            names.map { row.text($0) }.filter { !$0.isEmpty }.joined(separator: " · ")
        }
        let drawn = More.drawn(rows, request, usually: usual, name: name)
        guard let largest = drawn.map(value).max() else { return }
        bars =
            drawn
            .map { row in
                Bar(
                    name(row),
                    figure: figure(row),
                    part: value(row) / largest,
                    drill: drill?.href(row)
                )
            }
        more = More(
            request,
            names: rows.map(name),
            usually: usual,
            of: things,
            by: column == "k" ? "K" : column.replacing("_", with: " ")
        )
    }
}
