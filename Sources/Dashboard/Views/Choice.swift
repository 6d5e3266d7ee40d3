/// An option of a form.
struct Choice {
    var value: String
    var title: String
    var isChosen: Bool

    static func list(_ values: [String], chosen: String) -> [Choice] {
        values.map { Choice(value: $0, title: $0.replacing("_", with: " "), isChosen: $0 == chosen) }
    }
}
