import InboundLinks
import Time
import JSONReading

/// Reads the value of one field, with the checks that hold wherever its kind is used. Null means absent: nil.
enum FieldValue {
    /// A text as sent, not yet redacted. Empty: nil, a sender's way to say nothing.
    static func rawText(_ node: JSONNode, _ field: EventField, limit: Int) throws(EventFault) -> String? {
        switch node.kind {
        case .null: return nil
        case .string: break
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a string")
        }
        guard let text = node.string, !text.isEmpty else { return nil }
        if text.utf8.count > limit { throw .tooLong(field, limit) }
        if text.containsNul { throw .invalidText(field) }
        return text
    }

    /// A text, redacted. Empty: nil.
    static func text(_ node: JSONNode, _ field: EventField, limit: Int) throws(EventFault) -> String? {
        guard let text = try rawText(node, field, limit: limit) else { return nil }
        return SecretFreeText.text(text)
    }

    /// The id of a person, a device, a click or a post.
    static func id(_ node: JSONNode, _ field: EventField) throws(EventFault) -> String? {
        guard let text = try rawText(node, field, limit: EventLimits.id) else {
            if node.kind == .string { throw .junkID(field) }
            return nil
        }
        if JunkID.matches(text) { throw .junkID(field) }
        return SecretFreeText.text(text)
    }

    static func bool(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Bool? {
        switch node.kind {
        case .null: nil
        case .true: true
        case .false: false
        default: throw .wrongType(field, "true or false")
        }
    }

    /// One of the allowed words, spelled exactly so.
    static func word<Word>(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        switch node.kind {
        case .null: return nil
        case .string: break
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a string")
        }
        guard let text = node.string, let word = Word(rawValue: text) else {
            throw .notAllowed(field, Word.allCases.map(\.rawValue))
        }
        return word
    }

    /// RFC 3339 with an offset.
    static func time(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Timestamp? {
        switch node.kind {
        case .null: return nil
        case .string: break
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a string, a time of RFC 3339")
        }
        guard let text = node.string, let time = Timestamp(rfc3339: text) else {
            throw EventFault(
                .invalidValue,
                field,
                "\(field.key) must be a time of RFC 3339 with its offset, such as 2026-01-31T12:00:00.000000Z"
            )
        }
        return time
    }

    static func eventID(_ node: JSONNode) throws(EventFault) -> EventID? {
        switch node.kind {
        case .null: return nil
        case .string: break
        case .invalidString: throw .invalidText(.eventID)
        default: throw .wrongType(.eventID, "a string, a UUID with hyphens")
        }
        let text = node.string ?? ""
        if let id = EventID(text), !id.isReserved { return id }
        if text.containsNul { throw .invalidText(.eventID) }
        if JunkID.matches(text) {
            throw EventFault(.junkID, .eventID, "event_id is blank or a word for none; leave it out to have one made")
        }
        throw EventFault(.invalidValue, .eventID, "event_id must be a UUID with hyphens")
    }

    /// A whole number, also as a string of digits. An empty string: nil.
    static func integer(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Int64? {
        let spelling: String?
        switch node.kind {
        case .null: return nil
        case .number: spelling = node.number
        case .string where node.string == "": return nil
        // `Int64` takes a plus, which no JSON number has.
        case .string: spelling = node.string.flatMap { $0.hasPrefix("+") ? nil : $0 }
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a whole number")
        }
        guard let spelling, let value = Int64(spelling) else {
            throw EventFault(.invalidValue, field, "\(field.key) must be a whole number of at most 64 bits")
        }
        return value
    }

    /// A decimal, as a number or as a string.
    static func decimal(_ node: JSONNode, _ field: EventField) throws(EventFault) -> DecimalValue? {
        let spelling: String?
        switch node.kind {
        case .null: return nil
        case .number: spelling = node.number
        case .string: spelling = node.string
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a decimal number, or one as a string")
        }
        guard let spelling, let value = DecimalValue(spelling) else {
            throw EventFault(
                .invalidValue,
                field,
                "\(field.key) must be a decimal number such as 12.50, between -10^12 and 10^12"
            )
        }
        return value
    }

    static func currency(_ node: JSONNode) throws(EventFault) -> String? {
        guard let text = try rawText(node, .currency, limit: EventLimits.name) else {
            if node.kind == .null { return nil }
            throw EventFault(.invalidValue, .currency, "currency must be a code of ISO 4217, such as EUR")
        }
        guard let code = CurrencyCode.normalised(text) else {
            throw EventFault(.invalidValue, .currency, "currency must be a code of ISO 4217, such as EUR")
        }
        return code
    }
}
