import InboundLinks
import Text
import Time
import JSONReading

/// Reads the value of one field, with the checks for its kind of value. Returns nil for null, which means absent.
enum FieldValue {
    /// A text as sent, not yet redacted. Nil if it is empty: an empty text counts as absent.
    static func rawText(_ node: JSONNode, _ field: EventField) throws(EventFault) -> String? {
        guard let text = try string(node, field), !text.isEmpty else { return nil }
        if text.utf8.count > field.limit { throw .tooLong(field, field.limit) }
        if text.containsNul { throw .invalidText(field) }
        return text
    }

    /// A text, redacted. Nil if it is empty.
    static func text(_ node: JSONNode, _ field: EventField) throws(EventFault) -> String? {
        guard let text = try rawText(node, field) else { return nil }
        return SecretFreeText.text(text)
    }

    /// The id of a person, a device, a click or a post.
    static func id(_ node: JSONNode, _ field: EventField) throws(EventFault) -> String? {
        guard let text = try rawText(node, field) else {
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
        default: throw .wrongType(field, "true or false", found: node.kind)
        }
    }

    /// One of the allowed words. Case matters.
    static func word<Word>(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        try wordText(node, field).map { text throws(EventFault) in try word(text, field) }
    }

    static func platform(_ node: JSONNode) throws(EventFault) -> Platform? {
        guard let text = try wordText(node, .platform) else { return nil }
        return try word(String(text.trimmedOfBlanks).lowercased(), .platform)
    }

    /// A text, or a number, which is taken as it is spelled.
    static func appVersion(_ node: JSONNode) throws(EventFault) -> String? {
        guard let text = node.kind == .number ? node.number : try text(node, .appVersion) else { return nil }
        if text.utf8.count > EventField.appVersion.limit { throw .tooLong(.appVersion, EventField.appVersion.limit) }
        let version = String(text.trimmedOfBlanks)
        if RowName.matches(version) { throw .rowName(.appVersion, version) }
        return version.isEmpty ? nil : version
    }

    /// A word that is not read yet, because the event's type decides which words are allowed.
    static func wordText(_ node: JSONNode, _ field: EventField) throws(EventFault) -> String? {
        try string(node, field)
    }

    /// One of the allowed words. Case matters.
    static func word<Word>(_ text: String, _ field: EventField) throws(EventFault) -> Word
    where Word: RawRepresentable<String> & CaseIterable {
        guard let word = Word(rawValue: text) else {
            throw .notAllowed(field, Word.allCases.map(\.rawValue), found: text)
        }
        return word
    }

    /// An RFC 3339 time with an offset.
    static func time(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Timestamp? {
        if node.kind == .number { throw TimeMistake.number(field, node.number) }
        guard let text = try string(node, field, expected: "a string with an RFC 3339 time") else { return nil }
        guard let time = Timestamp(rfc3339: text) else { throw TimeMistake.fault(of: text, field) }
        return time
    }

    static func eventID(_ node: JSONNode) throws(EventFault) -> EventID? {
        guard let text = try string(node, .eventID, expected: "a string with a UUID") else { return nil }
        if let id = EventID(text), !id.isReserved { return id }
        if text.containsNul { throw .invalidText(.eventID) }
        if JunkID.matches(text) {
            throw EventFault(
                .junkID,
                .eventID,
                "event_id is blank or a placeholder for a missing id; leave it out, and an id is made"
            )
        }
        let meant = EventID.meant(by: text).map { "; did you mean \($0)?" }
        throw EventFault(
            .invalidValue,
            .eventID,
            "event_id must be a UUID with hyphens" + (meant ?? ", such as 018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80")
        )
    }

    /// A whole number, or a string of digits. Nil for an empty string.
    static func integer(_ node: JSONNode, _ field: EventField) throws(EventFault) -> Int64? {
        let spelling: String?
        switch node.kind {
        case .null: return nil
        case .number: spelling = node.number
        case .string where node.string == "": return nil
        // `Int64` accepts a plus sign, which JSON numbers do not have.
        case .string: spelling = node.string.flatMap { $0.hasPrefix("+") ? nil : $0 }
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a whole number", found: node.kind)
        }
        guard let spelling, let value = Int64(spelling) else {
            throw EventFault(.invalidValue, field, "\(field.key) must be a whole number that fits in 64 bits")
        }
        return value
    }

    /// A decimal number, or a string that contains one.
    static func decimal(_ node: JSONNode, _ field: EventField) throws(EventFault) -> DecimalValue? {
        let spelling: String?
        switch node.kind {
        case .null: return nil
        case .number: spelling = node.number
        case .string: spelling = node.string
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, "a decimal number, or a string that contains one", found: node.kind)
        }
        guard let spelling, let value = DecimalValue(spelling) else {
            let hint = DecimalMistake.meant(by: spelling ?? "").map { "; did you mean \($0)?" } ?? ""
            throw EventFault(
                .invalidValue,
                field,
                "\(field.key) must be a decimal number such as 12.50, between -10^12 and 10^12\(hint)"
            )
        }
        return value
    }

    static func currency(_ node: JSONNode) throws(EventFault) -> String? {
        guard node.kind != .null else { return nil }
        let text = try rawText(node, .currency) ?? ""
        if let code = CurrencyCode.normalised(text) { return code }
        let hint = CurrencyCode.successor(of: text).map { "; this one has ended: did you mean \($0)?" } ?? ""
        throw EventFault(.invalidValue, .currency, "currency must be an ISO 4217 code, such as EUR\(hint)")
    }

    static func country(_ node: JSONNode) throws(EventFault) -> String? {
        guard let text = try string(node, .country) else { return nil }
        if let code = CountryCode.normalised(String(text.trimmedOfBlanks)) { return code }
        throw EventFault(.invalidValue, .country, "country must be an ISO 3166-1 code of two letters, such as DE")
    }

    static func language(_ node: JSONNode) throws(EventFault) -> String? {
        guard let text = try string(node, .language) else { return nil }
        if let tag = LanguageTag.first(ofAccepted: text) { return tag }
        throw EventFault(.invalidValue, .language, "language must be a BCP 47 tag, such as en-US")
    }

    /// The text of a string; nil for null.
    ///
    /// - Parameter expected: what the message says that the field must be.
    private static func string(
        _ node: JSONNode,
        _ field: EventField,
        expected: String = "a string"
    ) throws(EventFault) -> String? {
        switch node.kind {
        case .null: return nil
        case .string: return node.string
        case .invalidString: throw .invalidText(field)
        default: throw .wrongType(field, expected, found: node.kind)
        }
    }
}
