/// An option of a form.
struct Choice {
    var value: String
    var title: String
    var isChosen: Bool
    /// A title of which the list shows only the beginning.
    var hint: String?

    /// The longest title that a list shows whole. A browser makes a list as wide as its longest choice.
    private static let longTitle = 40

    init(value: String, title: String, isChosen: Bool) {
        self.value = value
        self.isChosen = isChosen
        self.title = BreakableText.beginning(of: title, upTo: Self.longTitle)
        hint = self.title == title ? nil : title
    }

    /// Values of a parameter, in words.
    static func list(_ values: [String], chosen: String) -> [Choice] {
        values.map { Choice(value: $0, title: words($0), isChosen: $0 == chosen) }
    }

    /// Values with their titles.
    static func list(_ choices: [(String, String)], chosen: String) -> [Choice] {
        choices.map { value, title in Choice(value: value, title: title, isChosen: value == chosen) }
    }

    /// A value of a parameter in words. What follows a colon is a name of the app's, and stays as it is.
    static func words(_ value: String) -> String {
        if value == "any" { return "any event" }
        guard let colon = value.firstIndex(of: ":") else {
            return value.replacing("_", with: " ").replacing("|", with: " or ")
        }
        return "\(words(String(value[..<colon]))): \(value[value.index(after: colon)...])"
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

/// A hidden field of a form.
struct HiddenField {
    var name: String
    var value: String
}
