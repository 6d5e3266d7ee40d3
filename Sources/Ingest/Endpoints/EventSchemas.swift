import Events
import JSONReading

/// The schemas of events in `openapi.yaml`: one for each type, made of what ``EventType`` and ``EventField`` say.
enum EventSchemas {
    /// How an event is sent.
    private enum Form: String {
        case plain = ""
        /// As JSON on a path that says the type, so that the event need not.
        case untyped = "Untyped"
        /// As a form on such a path. A form has no null.
        case form = "Form"

        func name(of type: EventType) -> String {
            let name = EventSchemas.name(type.rawValue)
            return self == .form ? name + rawValue : rawValue + name
        }
    }

    /// Below `schemas:`. Each schema is one line, for JSON is YAML. A schema comes after those that it names, because
    /// some generators of clients write classes in this order.
    static let lines: [String] = {
        let types = EventType.allCases
        let implied = types.filter { type in Route.all.contains { $0.impliedType == type } }
        var lines: [String] = []
        for (name, words) in words.sorted(by: { $0.key < $1.key }) {
            lines.append(
                line(name) { json in
                    json.member("type", "string")
                    json.member("enum", words)
                }
            )
        }
        for type in types { lines.append(line(Form.plain.name(of: type), schema(of: type, as: .plain))) }
        for type in implied {
            for form in [Form.untyped, .form] { lines.append(line(form.name(of: type), schema(of: type, as: form))) }
        }
        return lines + [line("Event", event)]
    }()

    /// A name in the words of a language without underscores: `InboundLink`.
    static func name(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func line(_ name: String, _ schema: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object(schema)
        return "    \(name): \(json.text)"
    }

    private static func reference(to name: String) -> String { "#/components/schemas/\(name)" }

    private static func event(_ json: inout JSONWriter) {
        json.member("oneOf", EventType.allCases) { $0.member("$ref", reference(to: name($1.rawValue))) }
        json.key("discriminator")
        json.object { json in
            json.member("propertyName", EventField.type.key)
            json.key("mapping")
            json.object { json in
                for type in EventType.allCases { json.member(type.rawValue, reference(to: name(type.rawValue))) }
            }
        }
    }

    private static func schema(of type: EventType, as form: Form) -> (inout JSONWriter) -> Void {
        { json in
            let fields = EventField.allCases.filter(type.takes)
            let required = fields.filter {
                type.requirement(of: $0) == .required && (form == .plain || $0 != .type)
            }
            json.member("type", "object")
            json.member(
                "description",
                "\(type.meaning) At most \(EventLimits.event) bytes."
                    + (form == .form ? "" : " A field that is null is absent.")
            )
            json.member("additionalProperties", false)
            if !required.isEmpty { json.member("required", required.map(\.key)) }
            write(alternatives(of: type, fields), to: &json)
            let partners = fields.compactMap { field -> (EventField, EventField)? in
                // `url` may say the outcome too.
                guard case .with(let other) = type.requirement(of: field), other != .outcome else { return nil }
                return (field, other)
            }
            if !partners.isEmpty {
                json.key("dependentRequired")
                json.object { json in
                    for (field, other) in partners { json.member(field.key, [other.key]) }
                }
            }
            json.key("properties")
            json.object { json in
                for field in fields {
                    json.key(field.key)
                    let isNullable = form != .form && !required.contains(field)
                    json.object { write(field, of: type, as: form, isNullable, to: &$0) }
                }
            }
        }
    }

    // MARK: Fields that an event needs

    private static func alternatives(of type: EventType, _ fields: [EventField]) -> [[EventField]] {
        var lists: [[EventField]] = []
        for field in fields {
            guard case .oneOf(var list) = type.requirement(of: field) else { continue }
            // It may hold the id of a click.
            if list.contains(.clickID), type.takes(.installReferrer) { list.append(.installReferrer) }
            if !lists.contains(list) { lists.append(list) }
        }
        return lists
    }

    /// In `allOf`: generators of clients take `anyOf` beside `properties` for a choice of types.
    private static func write(_ alternatives: [[EventField]], to json: inout JSONWriter) {
        guard !alternatives.isEmpty else { return }
        json.member("allOf", alternatives) { json, fields in
            json.member("anyOf", fields) { json, field in
                json.member("required", [field.key])
                json.key("properties")
                json.object { json in
                    json.key(field.key)
                    json.object { $0.member("type", "string") }
                }
            }
        }
    }

    // MARK: Values

    /// The words of fields, by the name of their schema. A schema of its own is one type in a client.
    private static let words: [String: [String]] = {
        var words: [String: [String]] = [:]
        for type in EventType.allCases {
            for field in EventField.allCases where field != .type && type.takes(field) {
                guard case .word(let list) = field.description(in: type).kind else { continue }
                words[wordsName(of: field, in: type)] = list
            }
        }
        return words
    }()

    /// Named for the type of events too, if types differ in the words.
    private static func wordsName(of field: EventField, in type: EventType) -> String {
        let kinds = EventType.allCases.filter { $0.takes(field) }.map { field.description(in: $0).kind }
        return (kinds.allSatisfy { $0 == kinds[0] } ? "" : name(type.rawValue)) + name(field.key)
    }

    private static func write(
        _ field: EventField,
        of type: EventType,
        as form: Form,
        _ isNullable: Bool,
        to json: inout JSONWriter
    ) {
        let description = field.description(in: type)
        // Links are relative to docs/.
        json.member("description", description.meaning.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 })
        func write(types: String...) {
            let types = isNullable ? types + ["null"] : types
            if types.count == 1 { json.member("type", types[0]) } else { json.member("type", types) }
        }
        switch description.kind {
        case .word where field == .type && !isNullable:
            json.member("type", "string")
            json.member("enum", [type.rawValue])
        case .word:
            json.key("oneOf")
            json.array { json in
                json.object { json in
                    if field == .type {
                        json.member("type", "string")
                        json.member("enum", [type.rawValue])
                    } else {
                        json.member("$ref", reference(to: wordsName(of: field, in: type)))
                    }
                }
                if isNullable { json.object { $0.member("type", "null") } }
            }
        case .text(let limit):
            write(types: "string")
            if !isNullable, form != .form { json.member("minLength", 1) }
            json.member("maxLength", limit)
            json.member("pattern", #"^[^\u0000]*$"#)
        case .id:
            write(types: "string")
            json.member("minLength", 1)
            json.member("maxLength", EventLimits.id)
            // Not only zeros, separators and blanks, which are nobody's id.
            json.member("pattern", #"^[^\u0000]*[^\u0000\s0:._-][^\u0000]*$"#)
        case .uuid:
            write(types: "string")
            json.member("format", "uuid")
        case .time:
            write(types: "string")
            json.member("format", "date-time")
        case .flag where form == .form:
            json.key("oneOf")
            json.array { json in
                json.object { $0.member("type", "boolean") }
                json.object { json in
                    json.member("type", "string")
                    json.member("enum", ["true", "false", "1", "0", ""])
                }
            }
        case .flag: write(types: "boolean")
        case .wholeNumber:
            write(types: "integer", "string")
            json.member("pattern", "^(-?[0-9]+)?$")
        case .decimal:
            write(types: "string", "number")
            json.member("pattern", "^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$")
            json.member("minimum", -1_000_000_000_000)
            json.member("maximum", 1_000_000_000_000)
        case .currency:
            write(types: "string")
            json.member("pattern", "^[A-Za-z]{3}$")
        // Whatever the device says is taken; what cannot be read is left out.
        case .country, .language: write(types: "string")
        case .object where form == .form: write(types: "string")
        case .object: write(types: "object")
        case .refs:
            json.key("oneOf")
            json.array { json in
                json.object { json in
                    json.member("type", "string")
                    json.member("description", "Separated by commas.")
                }
                json.object { json in
                    json.member("type", "array")
                    json.member("maxItems", EventLimits.refCount)
                    json.key("items")
                    json.object { json in
                        json.member("type", "string")
                        json.member("maxLength", EventLimits.ref)
                    }
                }
                if isNullable { json.object { $0.member("type", "null") } }
            }
        }
    }
}
