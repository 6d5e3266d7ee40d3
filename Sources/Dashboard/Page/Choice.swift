/// An option of a form.
struct Choice {
    var value: String
    var title: String
    var isChosen: Bool

    static func list(_ values: [String], chosen: String) -> [Choice] {
        values.map { Choice(value: $0, title: $0.replacing("_", with: " "), isChosen: $0 == chosen) }
    }

    /// Names that exist, as they are. A chosen name that is not among them is offered as well.
    ///
    /// - Parameter first: the title of the choice that is no name, whose value is empty.
    static func names(_ names: [String], chosen: String?, first: String? = nil) -> [Choice] {
        let others = chosen.map { names.contains($0) ? [] : [$0] } ?? []
        return (first.map { [Choice(value: "", title: $0, isChosen: chosen == nil)] } ?? [])
            + (names + others).map { Choice(value: $0, title: $0, isChosen: $0 == chosen) }
    }
}
