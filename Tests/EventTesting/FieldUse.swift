package import Events

/// A field in a type of events, with a valid event that has it. ``all`` follows `EventField`, so that what is tested of
/// all fields is tested of a new one too.
package struct FieldUse: Sendable, CustomStringConvertible {
    package var type: EventType
    package var field: EventField

    package init(type: EventType, field: EventField) {
        (self.type, self.field) = (type, field)
    }

    package static let all = EventType.allCases.flatMap { type in
        EventField.allCases.filter { type.takes($0) }.map { FieldUse(type: type, field: $0) }
    }

    package var description: String { "\(type.rawValue).\(field.key)" }
    package var meaning: FieldDescription { field.description(in: type) }
    package var requirement: FieldRequirement { type.requirement(of: field) }

    /// Whether the sender chooses the text of the field.
    package var isFreeText: Bool {
        switch meaning.kind {
        case .text, .id, .refs, .object: field != .appID
        case .uuid, .time, .word, .flag, .wholeNumber, .decimal, .currency, .country, .language: false
        }
    }

    /// The example of the field with a text in it, as JSON. The field is a free text.
    ///
    /// - Parameter text: what JSON needs no escapes for.
    package func example(with text: String) -> String {
        let example = meaning.example
        guard let end = example.lastIndex(of: "\"") else { return example }
        return example[..<end] + text + example[end...]
    }

    /// The members of an event of the type with the field, each as JSON: every required field but those left out.
    ///
    /// - Parameter value: the field's; nil: its example.
    package func members(value: String? = nil, without left: [EventField] = []) -> [(key: String, json: String)] {
        var fields: [EventField] = [.type]
        for field in EventField.allCases where type.takes(field) {
            switch type.requirement(of: field) {
            case .required: if !fields.contains(field) { fields.append(field) }
            case .oneOf(let others):
                // One of the list, and not two: a callback could contradict a stated outcome. Not the callback: it
                // names a post, and each post is stored once.
                if !others.contains(where: fields.contains), !others.contains(self.field) || !left.isEmpty {
                    let usable = others.filter { !left.contains($0) && $0 != .callbackURL }
                    if let first = usable.first { fields.append(first) }
                }
            case .with, .optional: break
            }
        }
        if !left.contains(field), !fields.contains(field) { fields.append(field) }
        if case .with(let other) = requirement, !left.contains(other) { fields.append(other) }
        fields.removeAll { left.contains($0) }
        return fields.map { field in
            let json =
                switch field {
                case self.field where value != nil: value ?? ""
                case .type: #""\#(type.rawValue)""#
                case .appID: #""app""#
                default: field.description(in: type).example
                }
            return (field.key, json)
        }
    }

    /// The event of ``members(value:without:)``.
    package func body(value: String? = nil, without left: [EventField] = []) -> String {
        let members = members(value: value, without: left).map { #""\#($0.key)":\#($0.json)"# }
        return "{" + members.joined(separator: ",") + "}"
    }
}
