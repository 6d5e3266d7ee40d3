import InboundLinks
import Time
import JSONReading

/// Turns the text of a column into the JSON of a field.
struct FieldEncoder {
    private let kind: FieldRule.Kind
    private var times: TimeReader?

    init(kind: FieldRule.Kind) {
        self.kind = kind
        if case .time(let format, let zone) = kind {
            times = TimeReader(format: format, zone: zone.flatMap { LocalZone($0) })
        }
    }

    /// Nil if the text is not of this kind.
    mutating func json(of text: ArraySlice<UInt8>) -> [UInt8]? {
        switch kind {
        case .text: return Self.quoted(text)
        case .ref:
            // A comma would make two refs of the name of a campaign.
            let parts = text.split(separator: UInt8(ascii: ",")).map { $0.trimmed(\.isBlank) }
            return Self.quoted(Array(parts.joined(separator: [0x20]))[...])
        case .flag:
            switch String(decoding: text, as: UTF8.self).lowercased() {
            case "true", "1", "yes", "t", "y": return Array("true".utf8)
            case "false", "0", "no", "f", "n": return Array("false".utf8)
            default: return nil
            }
        case .number: return JSONValueText.kind(of: text) == .number ? Array(text) : nil
        case .json:
            guard JSONValueText.kind(of: text) != nil else { return nil }
            // A line break can only be white space here, and it would end the line of NDJSON.
            return text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        case .decimal(let comma):
            guard comma else { return Self.quoted(text) }
            guard !text.contains(UInt8(ascii: ".")) || Self.isGrouped(text) else { return nil }
            let number = text.filter { $0 != UInt8(ascii: ".") }.map {
                $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0
            }
            return Self.quoted(number[...])
        case .time:
            return times?.read(text).map { JSONValueText.quoted($0.rfc3339) }
        }
    }

    /// Whether three digits follow each point, as in `1.234.567,50`.
    private static func isGrouped(_ text: ArraySlice<UInt8>) -> Bool {
        let whole = text.prefix { $0 != UInt8(ascii: ",") }
        return text[whole.endIndex...].allSatisfy { $0 != UInt8(ascii: ".") }
            && whole.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst()
                .allSatisfy { $0.count == 3 }
    }

    private static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(text.count + 2)
        JSONWriter.appendQuoted(text, to: &json)
        return json
    }
}

extension FieldRule.Kind {
    /// What a column must contain, for messages.
    var expectation: String {
        switch self {
        case .text, .ref: "text"
        case .flag: "true or false, 1 or 0, yes or no"
        case .number: "a number"
        case .json: "JSON"
        case .decimal(comma: true): "a decimal number with a comma, such as 1.234,50"
        case .decimal(comma: false): "a decimal number such as 12.50"
        case .time(.dateTime, zone: nil):
            "a time with its offset, such as 2026-01-31T12:00:00Z; the mapping has no 'zone'"
        case .time(.dateTime, zone: _): "a time such as 2026-01-31 12:00:00"
        case .time(.unix, zone: _): "a Unix time, a number"
        case .time(.pattern(let pattern), zone: _): "a valid time in the format '\(pattern.text)'"
        }
    }
}
