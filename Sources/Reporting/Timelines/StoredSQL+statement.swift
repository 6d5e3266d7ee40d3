import Storage

extension StoredSQL {
    /// A text of one statement without its end, to stand inside another.
    static func asOneStatement(_ text: String) -> String {
        var statement = text[...]
        while let last = statement.last, last.isWhitespace || last == ";" { statement.removeLast() }
        return String(statement)
    }
}
