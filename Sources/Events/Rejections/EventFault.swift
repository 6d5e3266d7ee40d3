import JSONReading

/// What is wrong with an event. A rule makes it; a ``Rejection`` adds the event's position, id and text.
struct EventFault: Error, Equatable {
    var code: Rejection.Code
    var field: String?
    /// A sentence for the sender. Never contains a text of the event, only a number, a time or a UUID that was
    /// read from it.
    var message: String

    init(_ code: Rejection.Code, _ field: EventField, _ message: String) {
        self.code = code
        self.field = field.key
        self.message = message
    }

    init(_ code: Rejection.Code, field: String? = nil, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }
}

extension EventFault {
    /// - Parameters:
    ///   - expected: a phrase such as `a string`.
    ///   - found: the kind of value that was sent.
    static func wrongType(_ field: EventField, _ expected: String, found: JSONNode.Kind) -> EventFault {
        var message = "\(field.key) must be \(expected); found \(found.phrase)"
        if found == .number, expected.hasPrefix("a string") { message += ": put it in double quotes" }
        return EventFault(.invalidType, field, message)
    }

    static func duplicate(_ field: EventField) -> EventFault {
        EventFault(.duplicateField, field, repeated(field.key))
    }

    static func repeated(_ key: String) -> String {
        "\(key) is there twice, and it is unclear which one counts; send it once"
    }

    static func tooLong(_ field: EventField, _ limit: Int) -> EventFault {
        EventFault(.tooLarge, field, "\(field.key) is longer than \(limit) bytes")
    }

    static func invalidText(_ field: EventField) -> EventFault {
        EventFault(.invalidText, field, "\(field.key) contains U+0000 or is not valid Unicode")
    }

    static func junkID(_ field: EventField) -> EventFault {
        EventFault(
            .junkID,
            field,
            "\(field.key) is blank or a placeholder for a missing id, which would merge people; leave it out"
        )
    }

    static func notAllowed(_ field: EventField, _ allowed: [String], found: String) -> EventFault {
        let hint = FieldSuggestion.word(closestTo: found, among: allowed).map { "; did you mean \($0)?" } ?? ""
        return EventFault(.invalidValue, field, "\(field.key) must be \(alternatives(allowed))\(hint)")
    }

    static func rowName(_ field: EventField, _ name: String) -> EventFault {
        EventFault(.invalidValue, field, "\(field.key) cannot be '\(name)', the name of a row in reports")
    }

    static func missing(_ field: EventField, _ type: EventType) -> EventFault {
        EventFault(.missingField, field, "\(type.rawValue) needs \(alternatives([field.key]))")
    }

    /// `a`, `a or b`, `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension JSONNode.Kind {
    /// The kind of value in words, for a message.
    var phrase: String {
        switch self {
        case .null: "null"
        case .false, .true: "a truth value"
        case .number: "a number"
        case .string, .invalidString: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
