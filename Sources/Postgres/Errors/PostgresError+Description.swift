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

    /// A data exception (class 22) quotes the value that it is about, and a function's own `raise` (class P0) may; of the
    /// others the primary message names only objects.
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
            return "exception raised by the database"
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
