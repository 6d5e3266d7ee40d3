import Reporting

/// Fields that a form without scripts sends one by one, and that the address bar has as one parameter.
enum JoinedFields {
    /// The steps of a funnel, which become `steps`.
    static let steps = (1...8).map { "step\($0)" }
    static let defaultSteps = ["inbound_link", "authentication", "conversion"]
    /// The conditions of these steps, which become parts of `steps`.
    static let conditions = (1...8).map { "condition\($0)" }
    /// The keys of a breakdown, which become `by`.
    static let keys = ["key1", "key2"]
    /// The columns of tables, which become `columns`.
    static let columns = (1...60).map { "column\($0)" }
    /// The groups that are drawn, which become `groups`.
    static let groups = (1...200).map { "group\($0)" }

    private static let all: [(fields: [String], name: String, usual: [String]?)] = [
        (steps, "steps", defaultSteps), (keys, "by", nil), (columns, View.columnsField, nil),
        (groups, View.groupsField, nil),
    ]
    private static let names = Set(all.flatMap(\.fields) + conditions)

    /// Whether people need not know of a field.
    static func contains(_ name: String) -> Bool { names.contains(name) }

    /// A view's own fields with those that were sent one by one as one parameter; nil if none was.
    static func joined(_ given: [(name: String, value: String)]) -> [(name: String, value: String)]? {
        var (joined, isChanged) = (given, false)
        // A form without scripts sends the condition of a step that was removed.
        if !given.contains(where: { steps.contains($0.name) }) {
            joined.removeAll { conditions.contains($0.name) }
            isChanged = joined.count < given.count
        }
        for (fields, name, usual) in all {
            func value(_ field: String) -> String? { given.first { $0.name == field }?.value }
            let chosen = zip(fields, fields == steps ? conditions : fields).compactMap { field, condition in
                value(field).map { field == condition ? $0 : step($0, only: value(condition) ?? "") }
            }
            guard !chosen.isEmpty else { continue }
            isChanged = true
            let others = joined.filter {
                !fields.contains($0.name) && $0.name != name && (fields != steps || !conditions.contains($0.name))
            }
            let value = name == View.groupsField ? list(of: chosen) : chosen.joined(separator: ",")
            joined = chosen == usual ? others : [(name, value)] + others
        }
        return isChanged ? joined : nil
    }

    /// A step with a condition, which each of its events gets.
    private static func step(_ events: String, only condition: String) -> String {
        guard !condition.allSatisfy(\.isWhitespace) else { return events }
        return BracketedText.split(events, at: "|").map { "\($0)[\(condition)]" }.joined(separator: "|")
    }

    /// Names in one parameter. A comma of a name would divide it.
    static func list(of names: [String]) -> String {
        names.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }.joined(separator: ",")
    }

    /// The names in such a parameter.
    static func names(in list: String) -> [String] {
        var names = [""]
        var isEscaped = false
        for character in list.unicodeScalars {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else if !isEscaped, character == "," {
                names.append("")
            } else {
                isEscaped = false
                names[names.count - 1].unicodeScalars.append(character)
            }
        }
        return names
    }
}
