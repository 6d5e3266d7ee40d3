import InboundLinks
import Testing

@testable import Events

/// What docs/event-reference.md says of fields, against the decoder.
@Suite("Descriptions of fields")
struct FieldDescriptionTests {
    struct Use: Sendable, CustomTestStringConvertible {
        var type: EventType
        var field: EventField
        var testDescription: String { "\(type.rawValue) \(field.key)" }

        var description: FieldDescription { field.description(in: type) }
        var requirement: FieldRequirement { type.requirement(of: field) }
    }

    static let uses = EventType.allCases.flatMap { type in
        EventField.allCases.filter { type.takes($0) }.map { Use(type: type, field: $0) }
    }

    /// An event of the use's type with every required field but those left out, and with this value of the field.
    private func body(_ use: Use, value: String? = nil, without left: [EventField] = []) -> String {
        var fields: [EventField] = [.type]
        for field in EventField.allCases where use.type.takes(field) {
            switch use.type.requirement(of: field) {
            case .required: if !fields.contains(field) { fields.append(field) }
            case .oneOf(let others):
                // One of the list, and not two: a callback could contradict a stated outcome.
                if !others.contains(where: fields.contains), !others.contains(use.field) || !left.isEmpty {
                    if let first = others.first(where: { !left.contains($0) }) { fields.append(first) }
                }
            case .with, .optional: break
            }
        }
        if !left.contains(use.field), !fields.contains(use.field) { fields.append(use.field) }
        if case .with(let other) = use.requirement, !left.contains(other) { fields.append(other) }
        fields.removeAll { left.contains($0) }
        let members = fields.map { field in
            let example =
                switch field {
                case use.field where value != nil: value ?? ""
                case .type: #""\#(use.type.rawValue)""#
                case .appID: #""app""#
                default: field.description(in: use.type).example
                }
            return #""\#(field.key)":\#(example)"#
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test(arguments: uses)
    func showAnExampleThatIsDecoded(use: Use) throws {
        _ = try event(body(use))
    }

    @Test(arguments: uses)
    func nameWhatIsNeeded(use: Use) throws {
        switch use.requirement {
        case .required:
            #expect(try rejection(body(use, without: [use.field])).code == .missingField)
        case .oneOf(let fields):
            #expect(try rejection(body(use, without: fields)).code == .missingField)
        case .with(let other):
            #expect(try rejection(body(use, without: [other])).code == .missingField)
        case .optional:
            _ = try event(body(use, without: [use.field]))
        }
    }

    @Test(arguments: uses)
    func nameTheLimitAndTheKind(use: Use) throws {
        func code(_ value: String) throws -> Rejection.Code? {
            try decode(body(use, value: value)).rejections.first?.code
        }
        func text(_ length: Int) -> String { "\"" + String(repeating: "x", count: length) + "\"" }

        switch use.description.kind {
        case .text(let limit):
            #expect(try code(text(limit + 1)) == .tooLarge)
            #expect(try code(text(limit)) != .tooLarge)
            #expect(try code("1") == .invalidType)
        case .id:
            #expect(try code(text(EventLimits.id + 1)) == .tooLarge)
            #expect(try code(text(EventLimits.id)) == nil)
            #expect(try code(#""null""#) == .junkID)
        case .uuid:
            #expect(try code(#""1234""#) == .invalidValue)
        case .time:
            #expect(try code(#""2026-11-21T12:00:00""#) == .invalidValue)
            #expect(try code("1795262400") == .invalidType)
        case .word(let words):
            if use.field != .type { for word in words { #expect(try code("\"\(word)\"") == nil, "\(word)") } }
            #expect(try code(#""Search""#) == (use.field == .type ? .unknownType : .invalidValue))
        case .flag:
            #expect(try code("false") == nil)
            #expect(try code("1") == .invalidType)
        case .wholeNumber:
            #expect(try code(#""-9223372036854775808""#) == nil)
            #expect(try code("9223372036854775808") == .invalidValue)
            #expect(try code("1.5") == .invalidValue)
        case .decimal:
            #expect(try code("-1000000000000") == nil)
            #expect(try code("1000000000001") == .invalidValue)
        case .currency:
            #expect(try code(#""eur""#) == nil)
            #expect(try code(#""XXX""#) == .invalidValue)
        case .object:
            #expect(try code("{\"a\":\(text(EventLimits.properties))}") == .tooLarge)
            #expect(try code("[]") == .invalidType)
        case .refs:
            #expect(try code(#""recipe, invite""#) == nil)
            #expect(try code("[\(text(EventLimits.ref + 1))]") == .tooLarge)
            let refs = (0...EventLimits.refCount).map { "\"r\($0)\"" }.joined(separator: ",")
            #expect(try code("[\(refs)]") == .tooLarge)
        }
    }

    @Test(arguments: uses)
    func areSentences(use: Use) {
        let meaning = use.description.meaning
        #expect(meaning.hasSuffix("."))
        #expect(!meaning.contains("\n"))
    }

    @Test(arguments: Rejection.Code.allCases)
    func sayWhenEachCodeIsAnswered(code: Rejection.Code) {
        #expect(code.meaning.hasSuffix("."))
    }

    @Test func showUsualEventsThatAreDecoded() throws {
        let batch = try decode(EventType.allCases.map(\.example).joined(separator: "\n"), as: .ndjson)
        #expect(batch.rejections == [])
        #expect(Set(batch.events.map(\.event.id)).count == EventType.allCases.count)
    }
}
