package import JSONReading

/// A value of the JSON object that `tributary inspect` prints (docs/command-line.md, *inspect*).
package enum InspectionValue: Equatable, Sendable {
    case null
    case string(String)
    case number(Int64)
    case bool(Bool)
    case list([String])

    /// Null if there is no text.
    package static func optional(_ text: String?) -> InspectionValue {
        text.map { .string($0) } ?? .null
    }

    /// The text of a JSON object with these members in this order.
    ///
    /// - Parameter indented: whether each member is on a line of its own, for people. Otherwise all are on one line.
    package static func object(_ members: [(String, InspectionValue)], indented: Bool = true) -> String {
        var json = "{"
        var isFirst = true
        for (key, value) in members {
            if !isFirst { json += indented ? "," : ", " }
            isFirst = false
            if indented { json += "\n  " }
            append(key, to: &json)
            json += ": "
            value.append(to: &json)
        }
        json += indented && !members.isEmpty ? "\n}" : "}"
        return json
    }

    /// Writes the value for programs, without blanks.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .string(let text): json.string(text)
        case .number(let number): json.integer(number)
        case .bool(let value): json.bool(value)
        case .list(let texts): json.array { json in for text in texts { json.string(text) } }
        }
    }

    private func append(to json: inout String) {
        switch self {
        case .null: json += "null"
        case .string(let text): Self.append(text, to: &json)
        case .number(let number): json += String(number)
        case .bool(let value): json += value ? "true" : "false"
        case .list(let texts):
            json += "["
            for (index, text) in texts.enumerated() {
                if index > 0 { json += ", " }
                Self.append(text, to: &json)
            }
            json += "]"
        }
    }

    private static func append(_ text: String, to json: inout String) {
        var writer = JSONWriter()
        writer.string(text)
        json += writer.text
    }
}
