typealias EventCondition = FilterCondition<EventGrouping>

/// One condition of `--where`: `channel=search,bookmarks` or `ref!=gift`. An event meets it if `--by` with the same key
/// counts it in one of the rows that the condition names, or, with `!=`, in any row that it does not name.
struct FilterCondition<Key: FilterKey>: Hashable, Sendable {
    var key: Key
    /// Without duplicates, in the order given.
    var values: [String]
    /// `!=`.
    var isExclusion: Bool

    /// What has one value of a key.
    init(_ key: Key, is value: String) {
        (self.key, values, isExclusion) = (key, [value], false)
    }

    /// Reads `KEY=VALUE[,VALUE…]` or `KEY!=VALUE[,VALUE…]`. In a value, `\,` is a comma, and `\\` a backslash.
    ///
    /// - Parameters:
    ///   - subject: what is filtered, for errors.
    ///   - keys: the keys that it can be filtered by.
    ///   - others: the names of keys that only other reports can filter by, beside those of every app.
    ///   - field: the parameter to blame.
    /// - Throws: `ReportError.usage`.
    init(
        parsing text: String,
        of subject: String = "this report",
        keys: [Key],
        known others: [String] = [],
        field: String = "where"
    ) throws(ReportError) {
        guard let equals = text.firstIndex(of: "=") else {
            let example = keys.first.map { ", for example \($0.rawValue)=\($0.closedValues?.first ?? "gift")" } ?? ""
            throw .invalid(field, "'\(text)' is not KEY=VALUE or KEY!=VALUE\(example)")
        }
        let head = text[..<equals]
        isExclusion = head.last == "!"
        let name = String(isExclusion ? head.dropLast() : head)
        guard let key = keys.first(where: { $0.rawValue == name }) else {
            let allowed = keys.map(\.rawValue)
            guard (ReportParameter.filterKeys + others).contains(name) else {
                throw .unknown("key", name, field: field, allowed: allowed)
            }
            throw .invalid(field, "\(subject) cannot be limited to a \(name)", allowed: allowed)
        }
        self.key = key
        values = []
        for value in Self.list(text[text.index(after: equals)...]) {
            guard !value.isEmpty else {
                throw .invalid(field, "'\(text)' has an empty value; (none) stands for events that have no \(name)")
            }
            if let allowed = key.closedValues, value != ReportNames.none, !allowed.contains(value) {
                throw .unknown("value of \(name)", value, field: field, allowed: allowed)
            }
            if !values.contains(where: { $0.utf8.elementsEqual(value.utf8) }) { values.append(value) }
        }
    }

    /// Splits at commas.
    private static func list(_ text: Substring) -> [String] {
        var elements = [""]
        var isEscaped = false
        for character in text.unicodeScalars {
            if isEscaped {
                if character != ",", character != "\\" { elements[elements.count - 1].unicodeScalars.append("\\") }
                elements[elements.count - 1].unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                elements.append("")
            } else {
                elements[elements.count - 1].unicodeScalars.append(character)
            }
        }
        if isEscaped { elements[elements.count - 1].unicodeScalars.append("\\") }
        return elements
    }

    /// Whether events with a value of the key meet the condition; for keys without prefixes. Links are `host/slug`.
    func isMet(by value: String) -> Bool {
        values.contains { $0.utf8.elementsEqual(value.utf8) } != isExclusion
    }

    /// The text that `init(parsing:keys:)` reads.
    var text: String {
        let values = values.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }
        return "\(key.rawValue)\(isExclusion ? "!=" : "=")\(values.joined(separator: ","))"
    }
}
