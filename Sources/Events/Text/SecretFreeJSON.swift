import JSONReading

/// Writes JSON anew from what was read, each key and each text redacted on its own: slower than redacting the whole text,
/// and always JSON.
enum SecretFreeJSON {
    static func object(_ node: JSONNode) -> String {
        var text = JSONTextWriter()
        write(node, to: &text)
        return text.text
    }

    /// Whether a key or a text holds a secret once its escapes are taken off.
    static func isNeeded(for node: JSONNode) -> Bool {
        switch node.kind {
        case .string:
            return node.string.map { SecretFreeText.text($0) != $0 } ?? false
        case .array:
            return node.elements.contains { isNeeded(for: $0) }
        case .object:
            return node.members.contains { SecretFreeText.text($0.key) != $0.key || isNeeded(for: $0.value) }
        default:
            return false
        }
    }

    private static func write(_ node: JSONNode, to text: inout JSONTextWriter) {
        switch node.kind {
        case .null, .invalidString: text.append("null")
        case .false: text.append("false")
        case .true: text.append("true")
        case .number: text.append(node.number ?? "null")
        case .string: text.append(quoted: SecretFreeText.text(node.string ?? ""))
        case .array:
            text.append("[")
            for (position, element) in node.elements.enumerated() {
                if position > 0 { text.append(",") }
                write(element, to: &text)
            }
            text.append("]")
        case .object:
            text.append("{")
            for (position, member) in node.members.enumerated() {
                if position > 0 { text.append(",") }
                text.append(quoted: SecretFreeText.text(member.key))
                text.append(":")
                if isSecret(member.key) {
                    text.append(quoted: "REDACTED")
                } else {
                    write(member.value, to: &text)
                }
            }
            text.append("}")
        }
    }

    /// Whether a value under this key would be redacted: asked of the one place that knows.
    private static func isSecret(_ key: String) -> Bool {
        let probe = "\(key)=0"
        return SecretFreeText.text(probe) != probe
    }
}
