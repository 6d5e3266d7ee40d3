/// Questions whose rows are people.
extension SavedQuestion {
    /// Whether rows of a report with these parameters are people, or are about one person.
    package static func listsPeople(_ parameters: [(name: String, value: String)]) -> Bool {
        parameters.contains { name, value in
            switch name {
            // Of `below`, the value is a person's id, and the answer to a misspelt one names others.
            case "people", "below": true
            case "by": value.split { $0 == "," || $0 == " " }.contains("poster")
            // What is misspelt would be answered with the names there are.
            case "where": value.drop { $0 == " " }.prefix { $0.isLetter || $0 == "_" } == "poster"
            default: false
            }
        }
    }

    /// Why the question or board must not be shared with strangers: its rows are people, or those of a question on it.
    ///
    /// - Parameter questions: all of the app, for a board.
    /// - Returns: nil if it may be shared.
    package func sharingRefusal(among questions: [SavedQuestion]) -> String? {
        parts(among: questions).compactMap(\.question).first { Self.listsPeople($0.parameters) }
            .map { "'\($0.name)' lists people, and strangers must not see them" }
    }
}
