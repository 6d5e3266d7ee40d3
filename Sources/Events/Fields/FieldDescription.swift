/// What senders are told about a field (docs/event-reference.md is made of it).
package struct FieldDescription: Equatable, Sendable {
    package var kind: FieldKind
    /// Sentences in Markdown. Links are relative to docs/.
    package var meaning: String
    /// A valid value, as JSON.
    package var example: String

    init(_ kind: FieldKind, _ meaning: String, example: String) {
        self.kind = kind
        self.meaning = meaning
        self.example = example
    }

    /// One of the words of an enumeration.
    static func word<Word>(_: Word.Type, _ meaning: String, example: Word) -> FieldDescription
    where Word: RawRepresentable<String> & CaseIterable {
        FieldDescription(.word(Word.allCases.map(\.rawValue)), meaning, example: #""\#(example.rawValue)""#)
    }
}

/// The values that a field takes. Sizes are bytes of UTF-8.
package enum FieldKind: Equatable, Sendable {
    case text(limit: Int)
    /// A text that may not be a placeholder for a missing id.
    case id
    case uuid
    /// RFC 3339 with an offset.
    case time
    case word([String])
    case flag
    case wholeNumber
    case decimal
    case currency
    /// ISO 3166-1 alpha-2.
    case country
    /// BCP 47.
    case language
    case object
    case refs
}

/// Whether an event of a type needs a field.
package enum FieldRequirement: Hashable, Sendable {
    case required
    /// The event needs at least one of these fields.
    case oneOf([EventField])
    /// If the event has this field, it must have the other one too.
    case with(EventField)
    case optional
}
