import JSONReading
import Text

/// `properties`: a JSON object, kept as a text that PostgreSQL's `jsonb` accepts.
enum PropertiesText {
    /// The redacted text, or nil for null.
    static func read(_ node: JSONNode, in source: UnsafeBufferPointer<UInt8>) throws(EventFault) -> String? {
        switch node.kind {
        case .null: return nil
        case .object: break
        default: throw .wrongType(.properties, "an object", found: node.kind)
        }
        let bytes = UnsafeBufferPointer(rebasing: source[node.sourceRange])
        guard bytes.count <= EventLimits.properties else { throw .tooLong(.properties, EventLimits.properties) }
        if needsWalk(bytes) { try walk(node, in: source, depth: 1) }

        return redacted(node, String(decoding: bytes, as: UTF8.self))
    }

    /// - Parameter text: the text of the node.
    static func redacted(_ node: JSONNode, _ text: String) -> String {
        let redacted = SecretFreeText.text(text)
        // Redaction works on text, not on JSON. If escapes may hide a secret, or if redaction broke the JSON, each
        // value is redacted on its own.
        let hasEscapes = text.utf8.contains(UInt8(ascii: "\\"))
        if redacted == text, !hasEscapes || !SecretFreeJSON.isNeeded(for: node) { return text }
        if !hasEscapes, isObject(redacted) { return redacted }
        let rebuilt = SecretFreeText.text(SecretFreeJSON.object(node))
        return isObject(rebuilt) ? rebuilt : "{}"
    }

    private static func isObject(_ text: String) -> Bool {
        (try? JSONDocument(reading: text.utf8))?.root.kind == .object
    }

    /// Whether the text may contain something that `jsonb` refuses: an escape, an exponent, many containers. Most texts
    /// do not.
    private static func needsWalk(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var containers = 0
        var last: UInt8 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"): return true
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers += 1
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                if last.decimalValue != nil { return true }
            default: break
            }
            last = byte
        }
        return containers > EventLimits.propertiesDepth
    }

    private static func walk(
        _ node: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        depth: Int
    ) throws(EventFault) {
        switch node.kind {
        case .null, .false, .true:
            return
        case .number:
            guard let spelling = node.number, !isOutOfRange(spelling) else {
                throw EventFault(
                    .invalidValue,
                    .properties,
                    "properties contains a number outside the range of a double; send it as a string"
                )
            }
        case .string:
            if node.string?.containsNul == true { throw .invalidText(.properties) }
        case .invalidString:
            throw .invalidText(.properties)
        case .array:
            try checkDepth(depth)
            for element in node.elements { try walk(element, in: source, depth: depth + 1) }
        case .object:
            try checkDepth(depth)
            for (key, value) in node.members {
                if key.containsNul || (key.isEmpty && !hasEmptyKey(value, in: source)) {
                    throw .invalidText(.properties)
                }
                try walk(value, in: source, depth: depth + 1)
            }
        }
    }

    private static func checkDepth(_ depth: Int) throws(EventFault) {
        guard depth <= EventLimits.propertiesDepth else {
            throw EventFault(
                .tooLarge,
                .properties,
                "properties is nested deeper than \(EventLimits.propertiesDepth) levels"
            )
        }
    }

    /// Whether an exponent takes the number out of the range of a double, the smallest of which is 5e-324. PostgreSQL's
    /// `numeric` would write kilobytes of digits for it, and fail.
    private static func isOutOfRange(_ spelling: String) -> Bool {
        guard let mark = spelling.utf8.firstIndex(where: { $0.lowercasedASCII == UInt8(ascii: "e") }) else {
            return false
        }
        guard let value = Double(spelling), value.isFinite else { return true }
        let isZero = !spelling[..<mark].utf8.contains { $0 != UInt8(ascii: "0") && $0.decimalValue != nil }
        return isZero ? (Int(spelling[mark...].dropFirst()) ?? .max).magnitude > 300 : value.isZero
    }

    /// Whether the value's key is really `""`. A key that is not valid text also reads as empty.
    private static func hasEmptyKey(_ value: JSONNode, in source: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = value.sourceRange.lowerBound - 1
        while position >= 0, source[position].isJSONBlank || source[position] == UInt8(ascii: ":") { position -= 1 }
        guard position >= 2, source[position] == UInt8(ascii: "\""), source[position - 1] == UInt8(ascii: "\"") else {
            return false
        }
        // The byte before the opening quotation mark. In `"…\""` it is a backslash.
        let before = source[position - 2]
        return before == UInt8(ascii: "{") || before == UInt8(ascii: ",") || before.isJSONBlank
    }
}
