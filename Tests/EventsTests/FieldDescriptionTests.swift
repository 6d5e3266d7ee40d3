import EventTesting
import InboundLinks
import Testing

@testable import Events

/// What docs/event-reference.md says of fields, against the decoder.
@Suite("Descriptions of fields")
struct FieldDescriptionTests {
    @Test(arguments: FieldUse.all)
    func showAnExampleThatIsDecoded(use: FieldUse) throws {
        _ = try event(use.body())
    }

    @Test(arguments: FieldUse.all)
    func nameWhatIsNeeded(use: FieldUse) throws {
        switch use.requirement {
        case .required:
            #expect(try rejection(use.body(without: [use.field])).code == .missingField)
        case .oneOf(let fields):
            #expect(try rejection(use.body(without: fields)).code == .missingField)
        case .with(let other):
            #expect(try rejection(use.body(without: [other])).code == .missingField)
        case .optional:
            _ = try event(use.body(without: [use.field]))
        }
    }

    @Test(arguments: FieldUse.all)
    func nameTheLimitAndTheKind(use: FieldUse) throws {
        func code(_ value: String) throws -> Rejection.Code? {
            try decode(use.body(value: value)).rejections.first?.code
        }
        func text(_ length: Int) -> String { "\"" + String(repeating: "x", count: length) + "\"" }

        // What it says of a device never costs the event.
        guard !use.field.isOfDevice else {
            for value in ["{}", "[]", #""\ud800""#] {
                let batch = try decode(use.body(value: value))
                #expect(batch.rejections == [])
                #expect(batch.events.first?.warnings.map(\.code) == [.fieldLeftOut])
                #expect(batch.events.first?.warnings.map(\.field) == [use.field.key])
            }
            return
        }
        switch use.meaning.kind {
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
        case .country, .language: break
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

    @Test func nameATypeForEveryField() {
        #expect(EventField.allCases.allSatisfy { !$0.types.isEmpty })
    }

    @Test(arguments: FieldUse.all)
    func areSentences(use: FieldUse) {
        let meaning = use.meaning.meaning
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
