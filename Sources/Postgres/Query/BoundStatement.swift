/// A statement whose parameters are replaced by literals, for COPY, which takes no `$n`.
///
/// The statement writes a parameter as `current_setting('tributary.name')` with a cast, so that psql can run it too
/// after `set tributary.name = …`. A literal is faster: the server would look up and parse the setting for every row,
/// while it parses a literal once, and the planner knows its value.
package struct BoundStatement: Sendable {
    /// The statement with literals.
    package let text: String

    /// - Parameters:
    ///   - statement: a text from `sql/`, with or without a semicolon and white space at its end.
    ///   - values: the texts that the casts parse, by the parameters' names. A parameter without a value stays a
    ///     setting.
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

    /// The COPY statement for `PostgresConnection.copyOut`.
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

    /// A string constant as `PQescapeLiteral` writes it: right for both values of `standard_conforming_strings`.
    static func literal(_ value: String) -> String {
        var literal = "'"
        for character in value.unicodeScalars {
            if character == "'" || character == "\\" { literal.unicodeScalars.append(character) }
            literal.unicodeScalars.append(character)
        }
        return (value.contains("\\") ? " E" : "") + literal + "'"
    }
}
