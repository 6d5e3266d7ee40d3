/// A tile with one figure.
struct Card {
    var name: String
    var value: String
    /// The change against the range before, or a note on the value; empty if there is nothing to say.
    var change: String
    var direction: String
    var meaning: String
    /// The page with the picture of the figure; nil if it has none.
    var href: String?
    /// The page that says which groups carry its change; nil if there is no change to say it of.
    var changes: String?
    /// Whether the page shows its picture.
    var isChosen = false

    init(_ name: String, value: String, note: String = "", meaning: String) {
        self.name = name
        self.value = value
        change = note
        direction = "same"
        self.meaning = meaning
    }

    /// A figure that would not be that of the view's conditions.
    func refused(_ unmet: Unmet) -> Card {
        Card(name, value: "–", note: unmet.note, meaning: meaning)
    }

    /// A count of a report's row: `–` if the row does not have it.
    ///
    /// - Parameter before: the same count in the range before; nil if it has none.
    init(_ name: String, _ column: String, of row: ReportRows.Row?, before: Double? = nil, meaning: String) {
        if let row, row[column].number == nil {
            self.init(name, value: "–", meaning: meaning)
            return
        }
        let number = row?.number(column) ?? 0
        // From a thousand on, cents do not matter.
        let text = NumberText.grouped(number, decimals: number < 1000 ? 2 : 0)
        self.init(name, value: text, meaning: meaning)
        guard let base = before, base > 0 else { return }
        let difference = number - base
        tell(change: NumberText.percent(difference / base), of: difference)
    }

    /// A rate, a ratio or a time of a report's row: `–` if it is undefined.
    ///
    /// - Parameters:
    ///   - before: the same rate in the range before; nil if it has none.
    ///   - isRatio: whether it is no share of a whole, so that its change is a share of it.
    init(
        _ name: String,
        _ column: String,
        of row: ReportRows.Row?,
        before: Double? = nil,
        isRatio: Bool = false,
        note: String = "",
        meaning: String,
        text: (Double) -> String
    ) {
        let number = row?[column].number
        self.init(name, value: number.map(text) ?? "–", note: note, meaning: meaning)
        guard let number, let before else { return }
        let difference = number - before
        guard !isRatio else {
            if before > 0 { tell(change: NumberText.percent(difference / before), of: difference) }
            return
        }
        tell(change: "\(NumberText.grouped(difference * 100, decimals: 1)) points", of: difference)
    }

    private mutating func tell(change text: String, of difference: Double) {
        let signed = (difference >= 0 ? "+" : "") + text
        change = change.isEmpty ? signed : "\(change), \(signed)"
        direction = difference > 0 ? "up" : difference < 0 ? "down" : "same"
    }

    /// `Installs −18 %`; nil if it has not changed.
    var changed: String? { direction == "same" || change.isEmpty ? nil : "\(name) \(change)" }

    /// The same with the remark that the change may be chance.
    var doubted: Card {
        var card = self
        card.change += ", may be chance"
        card.direction = "same"
        return card
    }
}
