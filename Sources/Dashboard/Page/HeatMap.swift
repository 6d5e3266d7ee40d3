/// Rates as a table with shades. It is a table, so that it can be read without colours.
///
/// The text of a cell's `hint` is shown under the pointer, and with the arrow keys.
struct HeatMap {
    struct Cell {
        var text: String
        /// How dark: `heat-0` to `heat-10`; `heat-few` without a shade.
        var cssClass: String
        var hint: String

        /// - Parameters:
        ///   - part: of the darkest shade, from 0 to 1.
        ///   - people: of how many people the figure is.
        init(text: String, part: Double, hint: String, of people: Double = .infinity) {
            let shade = people < HeatMap.fewPeople ? "few" : "\(Int((max(0, min(part, 1)) * 10).rounded()))"
            self.init(text: text, cssClass: "heat-\(shade)", hint: hint)
        }

        private init(text: String, cssClass: String, hint: String) {
            self.text = text
            self.cssClass = cssClass
            self.hint = hint
        }

        static func none(_ hint: String) -> Cell { Cell(text: "", cssClass: "heat-none", hint: hint) }
    }

    struct Row {
        /// As HTML; names have places to break.
        var name: String
        /// That not all of its people are in it.
        var remark: String?
        var people: String?
        var cells: [Cell]

        /// - Parameter people: nil if the map is not of people.
        init(_ name: String, remark: String? = nil, people: Double?, cells: [Cell]) {
            self.name = BreakableText.html(name)
            self.remark = remark
            self.people = people.map { NumberText.grouped($0) }
            self.cells = cells
        }
    }

    /// A rate of fewer people says little.
    static let fewPeople = 30.0

    /// What the cells without a shade are; nil if there are none.
    var note: String? {
        rows.contains { $0.cells.contains { $0.cssClass == "heat-few" } }
            ? "Pale, without a shade: figures of fewer than \(Int(Self.fewPeople)) people." : nil
    }

    var caption: String
    /// What the rows are.
    var event: String
    /// The columns.
    var periods: [String]
    var rows: [Row]
    /// Whether it has a column with the people of each row.
    var hasPeople: Bool
    /// Whether it has so many columns that they need to be narrow.
    var isWide: Bool

    init(event: String, periods: [String], rows: [Row], caption: String) {
        self.caption = caption
        self.event = event
        self.periods = periods
        self.rows = rows
        hasPeople = rows.contains { $0.people != nil }
        isWide = periods.count > 10
    }
}
