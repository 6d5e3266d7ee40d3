import Reporting

extension ReportColumn {
    /// The name as people read it in a heading. Their cells have the unit, so a time is not headed by its own.
    var words: String {
        let words = name == "k" ? "K" : unit == "seconds" ? Self.time(name) : name
        return words.replacing("_", with: " ")
    }

    /// `cycle_median_seconds` and `median_seconds` as `median_time`.
    private static func time(_ name: String) -> String {
        name.replacing(/^cycle_/, with: "").replacing(/_seconds$/, with: "_time")
    }

    /// The same at the beginning of a line.
    var title: String { words.prefix(1).uppercased() + words.dropFirst() }
}
