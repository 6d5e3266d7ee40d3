/// Everything that is said of a field in one place (``EventField/declaration``).
struct FieldDeclaration: Sendable {
    /// The key on the wire.
    let key: String
    /// What the field means in each type of events that takes it.
    let uses: [EventType: FieldDescription]

    /// A field with other meanings in other types.
    init(_ key: String, _ uses: [EventType: FieldDescription]) {
        self.key = key
        self.uses = uses
    }

    /// - Parameters:
    ///   - types: those that take the field. Default: all.
    ///   - meaning: sentences in Markdown for senders. Links are relative to docs/.
    ///   - example: a valid value, as JSON.
    init(
        _ key: String,
        of types: [EventType] = EventType.allCases,
        _ kind: FieldKind,
        _ meaning: String,
        example: String
    ) {
        let description = FieldDescription(kind, meaning, example: example)
        self.init(key, Dictionary(uniqueKeysWithValues: types.map { ($0, description) }))
    }

    /// A field whose values are the words of an enumeration.
    static func word<Word>(
        _ key: String,
        of types: [EventType] = EventType.allCases,
        _: Word.Type,
        _ meaning: String,
        example: Word
    ) -> FieldDeclaration where Word: RawRepresentable<String> & CaseIterable {
        let description = FieldDescription.word(Word.self, meaning, example: example)
        return FieldDeclaration(key, Dictionary(uniqueKeysWithValues: types.map { ($0, description) }))
    }
}

extension EventField {
    /// By raw value: a field is looked up for every member of every event.
    private static let declarations = allCases.map(\.declaration)
    private static let kinds = allCases.map { $0.description(in: $0.types.first ?? .inboundLink).kind }
    private static let limits = kinds.map { kind in
        switch kind {
        case .text(let limit): limit
        case .id: EventLimits.id
        case .currency, .country, .language: EventLimits.name
        case .uuid, .time, .word, .flag, .wholeNumber, .decimal, .object, .refs: EventLimits.event
        }
    }

    /// The key on the wire.
    package var key: String { Self.declarations[Int(rawValue)].key }

    /// The types of events that take the field.
    package var types: [EventType] {
        EventType.allCases.filter { Self.declarations[Int(rawValue)].uses[$0] != nil }
    }

    /// What the field means in an event of this type. The type takes the field.
    package func description(in type: EventType) -> FieldDescription {
        // Some type takes every field (`FieldDescriptionTests`).
        Self.declarations[Int(rawValue)].uses[type]
            ?? types.first.map(description) ?? FieldDescription(.object, "", example: "{}")
    }

    /// The kind of its values. Types differ only in the words that they allow.
    package var kind: FieldKind { Self.kinds[Int(rawValue)] }

    /// The longest text that it takes, in bytes of UTF-8.
    var limit: Int { Self.limits[Int(rawValue)] }
}
