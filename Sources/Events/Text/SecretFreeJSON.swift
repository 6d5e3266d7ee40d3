import JSONReading

/// Writes parsed JSON again, with each key and each text redacted on its own. This is slower than redacting the whole
/// text, but the result is always JSON.
enum SecretFreeJSON {
    static func object(_ node: JSONNode) -> String {
        var writer = JSONWriter()
        write(node, to: &writer)
        return writer.text
    }

    /// Whether a key or a text contains a secret once its escapes are removed.
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

    static func write(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .null, .invalidString: writer.null()
        case .false: writer.bool(false)
        case .true: writer.bool(true)
        case .number: writer.raw(node.number ?? "null")
        case .string: writer.string(SecretFreeText.text(node.string ?? ""))
        case .array:
            writer.array { writer in
                for element in node.elements { write(element, to: &writer) }
            }
        case .object:
            writer.object { writer in
                for (key, value) in node.members {
                    writer.key(SecretFreeText.text(key))
                    if isSecret(key) {
                        writer.string("REDACTED")
                    } else {
                        write(value, to: &writer)
                    }
                }
            }
        }
    }

    /// Whether a value with this key would be redacted. ``SecretFreeText`` decides, so that the rule is in one place.
    private static func isSecret(_ key: String) -> Bool {
        let probe = "\(key)=0"
        return SecretFreeText.text(probe) != probe
    }
}
