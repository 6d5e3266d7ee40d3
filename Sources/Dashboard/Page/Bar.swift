/// A line of a bar chart: a name, a figure, and a bar below both. Names may be long, so they are texts of the page that
/// wrap, and not of a drawing.
struct Bar {
    var name: String
    var figure: String
    var meter: String
    /// The URL of the bar's own figures.
    var drill: String?

    /// - Parameter part: the length of the bar, of the longest one.
    init(_ name: String, figure: String, part: Double, drill: String? = nil) {
        self.drill = drill
        self.name = name
        self.figure = figure
        meter = Meter.drawing(part)
    }

    /// The largest rows of a report as bars.
    ///
    /// - Parameters:
    ///   - names: the columns that name a row.
    ///   - drill: where a row leads.
    ///   - figure: the text of a row's number.
    static func list(
        _ rows: [ReportRows.Row],
        names: [String],
        column: String,
        limit: Int = 12,
        drill: Drill? = nil,
        figure: (ReportRows.Row) -> String
    ) -> [Bar] {
        let largest = rows.map { $0.number(column) }.max() ?? 0
        guard largest > 0 else { return [] }
        return rows.filter { $0.number(column) > 0 }
            .sorted { $0.number(column) > $1.number(column) }
            .prefix(limit)
            .map { row in
                Bar(
                    names.map { row.text($0) }.joined(separator: " · "),
                    figure: figure(row),
                    part: row.number(column) / largest,
                    drill: drill?.href(row)
                )
            }
    }
}
