/// Rates as a table with shades. It is a table, so that it can be read without colours.
struct HeatMap {
    struct Cell {
        var text: String
        /// How dark: `heat-0` to `heat-10`.
        var cssClass: String
        var hint: String

        /// - Parameter scale: the rate of the darkest shade.
        init(_ rate: Double, scale: Double, hint: String) {
            text = NumberText.percent(rate, alwaysDecimal: true)
            cssClass = "heat-\(scale > 0 ? Int((rate / scale * 10).rounded()) : 0)"
            self.hint = hint
        }

        private init(text: String, cssClass: String, hint: String) {
            self.text = text
            self.cssClass = cssClass
            self.hint = hint
        }

        static func none(_ hint: String) -> Cell { Cell(text: "", cssClass: "heat-none", hint: hint) }
    }

    struct Row {
        var cohort: String
        var people: String
        var cells: [Cell]
    }

    var event: String
    var periods: [String]
    var rows: [Row]
}
