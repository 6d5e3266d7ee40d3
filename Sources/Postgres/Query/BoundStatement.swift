/// A statement with values in the place of its parameters, for COPY, which takes no `$n`.
///
/// The statement names a parameter as `current_setting('tributary.name')` with a cast behind it, so that psql runs it too
/// after `set tributary.name = …`. The server would look that up, and read its text, for every row; a literal it reads
/// once, and the planner knows it.
package struct BoundStatement: Sendable {
    /// The statement with literals.
    package let text: String

    /// - Parameters:
    ///   - statement: as it stands in `sql/`, with or without a semicolon and blank space at its end.
    ///   - values: as the cast behind each parameter reads them, by the parameter's name. For one that is missing the server
    ///     asks the setting.
    package init(_ statement: String, _ values: [String: String]) {
        var text = ""
        let parts = statement.split(separator: Self.beginning, omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
            if position == 0 {
                text += part
            } else if let end = part.firstRange(of: "')"), let value = values[String(part[..<end.lowerBound])] {
                text += Self.literal(value)
                text += part[end.upperBound...]
            } else {
                text += Self.beginning
                text += part
            }
        }
        while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
        self.text = text
    }

    /// To be read by `PostgresConnection.copyOut`.
    package var copyOut: String { "copy (\(text)) to stdout (format binary)" }

    /// A value for a parameter that is cast to `text[]`.
    package static func array(_ elements: [String]) -> String {
        let quoted = elements.map { element in
            element.unicodeScalars.reduce(into: "\"") { text, character in
                if character == "\"" || character == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(character)
            } + "\""
        }
        return "{" + quoted.joined(separator: ",") + "}"
    }

    private static let beginning = "current_setting('tributary."

    /// A string constant, whatever `standard_conforming_strings` says, as `PQescapeLiteral` writes it.
    static func literal(_ value: String) -> String {
        var literal = "'"
        for character in value.unicodeScalars {
            if character == "'" || character == "\\" { literal.unicodeScalars.append(character) }
            literal.unicodeScalars.append(character)
        }
        return (value.contains("\\") ? " E" : "") + literal + "'"
    }
}
