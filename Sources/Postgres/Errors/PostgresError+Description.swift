extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        var text = safeMessage
        if let sqlState {
            text += " (SQLSTATE \(sqlState))"
        }
        if let constraint, !text.contains(constraint) {
            text += ", constraint \(constraint)"
        }
        if let table, !text.contains(table) {
            text += ", table \(table)"
        }
        if let column, !text.contains(column) {
            text += ", column \(column)"
        }
        if let server {
            text += " at \(server)"
        }
        return text
    }

    /// The message without stored values. A data exception (class 22) quotes a value, and a function's own `raise`
    /// (class P0) may. All other primary messages name only objects.
    private var safeMessage: String {
        guard let sqlState else { return message }
        if sqlState.hasPrefix("22") {
            let end = message.firstIndex { $0 == ":" || $0 == "\"" } ?? message.endIndex
            var text = String(message[..<end])
            while text.last == " " {
                text.removeLast()
            }
            return text.isEmpty ? "data exception" : text
        }
        if sqlState.hasPrefix("P0") {
            return "a function in the database raised an exception"
        }
        return message
    }

    package var debugDescription: String {
        var text = "PostgresError(\(kind)"
        func add(_ name: String, _ value: String?) {
            if let value {
                text += ", \(name): \(value)"
            }
        }
        add("sqlState", sqlState)
        add("message", message)
        add("detail", detail)
        add("hint", hint)
        add("context", context)
        add("schema", schema)
        add("table", table)
        add("column", column)
        add("dataType", dataType)
        add("constraint", constraint)
        add("position", position.map(String.init))
        add("statement", statement)
        add("server", server)
        return text + ")"
    }
}
