import JSONReading
import Text
import Time

/// Values of a link's fields in JSON. Null, and an empty text, mean that there is no value.
enum LinkValue {
    static func text(_ node: JSONNode, _ field: String) throws(LinkFault) -> String? {
        switch node.kind {
        case .null: return nil
        case .string: break
        case .invalidString: throw LinkFault(.invalidText, field, "\(field) is not valid Unicode")
        default: throw LinkFault(.invalidType, field, "\(field) must be a text")
        }
        guard let text = node.string, !text.isEmpty else { return nil }
        guard !text.utf8.contains(0) else { throw LinkFault(.invalidText, field, "\(field) contains U+0000") }
        return text
    }

    static func bool(_ node: JSONNode, _ field: String, default: Bool) throws(LinkFault) -> Bool {
        if node.kind == .null { return `default` }
        guard let value = node.bool else { throw LinkFault(.invalidType, field, "\(field) must be true or false") }
        return value
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: JSONNode,
        _ field: String,
        default: Choice
    ) throws(LinkFault) -> Choice where Choice.RawValue == String {
        guard let text = try text(node, field) else { return `default` }
        try check(text, isAmong: Choice.allCases.map(\.rawValue), field)
        return Choice(rawValue: text) ?? `default`
    }

    static func check(_ word: String, isAmong words: [String], _ field: String) throws(LinkFault) {
        guard words.contains(word) else {
            throw LinkFault(.invalidValue, field, "\(field) must be one of: \(words.joined(separator: ", "))")
        }
    }

    /// An array of texts, or one text with commas.
    static func list(_ node: JSONNode, _ field: String) throws(LinkFault) -> [String] {
        var texts: [String] = []
        if node.kind == .array {
            for element in node.elements {
                if let text = try text(element, field) { texts.append(text) }
            }
        } else if let text = try text(node, field) {
            texts = [text]
        }
        var list: [String] = []
        for text in texts {
            for part in text.split(separator: ",") {
                let trimmed = String(part.trimmedOfBlanks)
                if !trimmed.isEmpty, !list.contains(trimmed) { list.append(trimmed) }
            }
        }
        return list
    }

    static func time(_ node: JSONNode, _ field: String) throws(LinkFault) -> Timestamp? {
        guard let text = try text(node, field) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw LinkFault(
                .invalidValue,
                field,
                "\(field) must be a time of RFC 3339 with its offset, such as 2026-12-31T23:00:00Z"
            )
        }
        return time
    }
}
