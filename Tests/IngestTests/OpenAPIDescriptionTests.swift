import Events
import Foundation
import HTTPTypes
import JSONReading
import Testing

@testable import Ingest

/// The parts of `openapi.yaml` that the tests need, found by their indentation.
private struct Description {
    /// Statuses by path.
    var statuses: [String: Set<Int>] = [:]
    var methods: [String: [String]] = [:]
    var responses: [String: Set<String>] = [:]
    var listed: [String: [String]] = [:]
    /// Schemas that are one line of JSON.
    var schemas: [String: String] = [:]

    init(_ text: String) {
        var path: String?
        var section = ""
        var schema: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let indentation = line.prefix { $0 == " " }.count
            let content = line.dropFirst(indentation)
            switch indentation {
            case 0:
                section = String(content)
                path = nil
            case 2 where section == "paths:":
                path = String(content.dropLast())
            case 4 where section == "paths:":
                if let path { methods[path, default: []].append(content.dropLast().uppercased()) }
            case 4:
                let end = content.firstIndex(of: ":") ?? content.endIndex
                schema = String(content[..<end])
                if let schema, content.hasSuffix("}") { schemas[schema] = String(content[end...].dropFirst(2)) }
            case 8 where section == "paths:":
                if let path, content.hasPrefix("'"), let status = Int(content.dropFirst().dropLast(2)) {
                    statuses[path, default: []].insert(status)
                }
            case 8:
                if let schema, content.hasPrefix("- "), !content.hasPrefix("- `") {
                    listed[schema, default: []].append(String(content.dropFirst(2)))
                }
            default:
                continue
            }
        }
    }
}

@Suite("openapi.yaml")
struct OpenAPIDescriptionTests {
    private static let reports = CannedReports().offers
    private static let text = OpenAPIDescription.text(reports: reports)
    private let description = Description(Self.text)

    /// `docs/events.md`, *Requests*.
    @Test func thePageNamesEveryKindOfKey() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/events.md")
        let text = try String(contentsOf: page, encoding: .utf8).replacing("\n", with: " ")
        let kinds = /A key belongs to one app and is of one of (\w+) kinds: (.*?) Reports also/
        let sentence = try #require(text.firstMatch(of: kinds))
        let named = sentence.2.matches(of: /`(\w+)` key/).map { String($0.1) }
        #expect(named.sorted() == KeyScope.allCases.map(\.rawValue).sorted())
        #expect(["one", "two", "three", "four", "five", "six"].firstIndex { $0 == sentence.1 } == named.count - 1)
    }

    /// `docs/events.md`, *Requests*: a row names calls, and the key that they need.
    @Test func theTableOfCallsNamesEveryRouteAndItsKey() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/events.md")
        var named: Set<String> = []
        for row in try String(contentsOf: page, encoding: .utf8).matches(of: /(?m)^\| (`[A-Z]+ \/.*?) \| ([^|]*) \|/) {
            for call in row.1.matches(of: /`([^`]*)`/) { named.insert("\(call.1): \(row.2)") }
        }
        let all = Route.all.flatMap { route in
            route.methods.filter { $0 != "HEAD" }.map { method in
                let need = HTTPRequest.Method(method).flatMap { route.keyNeed(for: $0) }
                let key = need.map { $0.scopes.map(\.rawValue).joined(separator: " or ") } ?? "none"
                return "\(method) \(route.pattern): \(key)"
            }
        }
        #expect(named == Set(all))
    }

    @Test func describesEveryRouteAndNoOther() {
        let paths = Route.all.map { ($0, OpenAPIDescription.paths(of: $0.pattern, reports: Self.reports)) }
        #expect(Set(description.methods.keys) == Set(paths.flatMap { $0.1 }))
        for (route, paths) in paths {
            for path in paths {
                // HEAD is described once for all.
                #expect(description.methods[path] == route.methods.filter { $0 != "HEAD" })
            }
        }
    }

    @Test(arguments: Route.all.indices)
    func describesEveryStatusAndNoOther(index: Int) {
        let route = Route.all[index]
        var expected = Set((route.problems + Route.everywhere).map(\.status))
        expected.formUnion(route.successes)
        for path in OpenAPIDescription.paths(of: route.pattern, reports: Self.reports) {
            #expect(description.statuses[path] == expected)
        }
    }

    @Test func listsEveryCode() {
        #expect(description.listed["ProblemCode"] == ProblemCode.allCases.map(\.rawValue))
        #expect(description.listed["RejectionCode"] == Rejection.Code.allCases.map(\.rawValue))
    }

    @Test(arguments: EventType.allCases)
    func describesEveryFieldOfEachType(type: EventType) throws {
        let name = EventSchemas.name(type.rawValue)
        let text = try #require(description.schemas[name])
        let schema = try JSONDocument(reading: text.utf8).root
        let fields = EventField.allCases.filter(type.takes).map(\.key)
        #expect(schema["properties"]?.members.map { $0.key } == fields)
        #expect(schema["properties"]?["type"]?["enum"]?.elements.compactMap(\.string) == [type.rawValue])
        #expect(schema["properties"]?["type"]?["type"]?.string == "string")
        #expect(schema["required"]?.elements.compactMap(\.string).first == "type")
        // With a default, generated clients send the field with each event.
        #expect(!text.contains(#""default""#))
        let union = try JSONDocument(reading: try #require(description.schemas["Event"]).utf8).root
        let reference = "#/components/schemas/\(name)"
        #expect(union["oneOf"]?.elements.contains { $0["$ref"]?.string == reference } == true)
        #expect(union["discriminator"]?["mapping"]?[type.rawValue]?.string == reference)
        let isImplied = Route.all.contains { $0.impliedType == type }
        for other in ["Untyped" + name, name + "Form"] {
            #expect((description.schemas[other] != nil) == isImplied)
            #expect(description.schemas[other]?.contains(#""required":["type""#) != true)
        }
        #expect(description.schemas[name + "Form"]?.contains(#""null""#) != true)
    }

    @Test func saysWhichFieldsAnEventNeeds() throws {
        func schema(_ name: String) throws -> JSONNode {
            try JSONDocument(reading: try #require(description.schemas[name]).utf8).root
        }
        let conversion = try schema("Conversion")
        #expect(conversion["required"]?.elements.compactMap(\.string) == ["type", "name"])
        #expect(conversion["dependentRequired"]?["value"]?.elements.compactMap(\.string) == ["currency"])
        #expect(conversion["dependentRequired"]?["currency"]?.elements.compactMap(\.string) == ["value"])
        let link = try schema("InboundLink")["allOf"]?.elements.map { choice in
            choice["anyOf"]?.elements.compactMap { $0["required"]?.elements.compactMap(\.string).first } ?? []
        }
        #expect(link == [["user_id", "device_id", "click_id"], ["url", "target_url", "channel"]])
    }

    @Test func describesTheParametersOfEachReportAlone() throws {
        let blocks = Self.text.components(separatedBy: "\n  /v1/")
        let channels = try #require(blocks.first { $0.hasPrefix("reports/channels:") })
        #expect(channels.contains("operationId: getChannelsReport\n"))
        #expect(channels.contains(#"summary: "Touches by channel: \"all\".""#))
        #expect(channels.contains(#"- {"name":"where","in":"query""#) && !channels.contains(#""name":"times""#))
        let people = try #require(blocks.first { $0.hasPrefix("reports/daily_people:") })
        #expect(people.contains("operationId: getDailyPeopleReport\n") && !people.contains(#""name":"goal""#))
        #expect(people.contains(#"{"name":"a","in":"query","required":true"#))
    }

    @Test func describesEveryProblemSomewhere() {
        let answered = Set(Route.all.flatMap(\.problems) + Route.everywhere + [.notFound])
        #expect(answered == Set(ProblemCode.allCases))
    }

    @Test func fillsEveryPlaceholder() {
        #expect(TextFiles.openapiYAML.contains("<code>"))
        #expect(!Self.text.contains("<"))
    }

    /// Some generators of clients write classes in the order of the schemas.
    @Test func definesASchemaBeforeItIsNamed() throws {
        let schemas = try #require(Self.text.components(separatedBy: "\n  schemas:\n").last)
        var known: Set<Substring> = []
        for block in schemas.split(separator: #/(?:^|\n)(?=    [A-Z])/#) {
            let names = block.matches(of: #/schemas\/(\w+)/#).map { $0.1 }
            #expect(known.isSuperset(of: names), "\(block.prefix(40)): \(names)")
            known.insert(block.drop { $0 == " " }.prefix { $0 != ":" })
        }
        #expect(known.contains("Event") && known.contains("Batch"))
    }

    @Test func warnsByTheCodesOfEvents() {
        let codes = DecodedEvent.Warning.Code.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(Self.text.contains("enum: [\(codes)]"))
    }

    @Test func holdsNoTab() {
        #expect(!Self.text.contains("\t"))
    }
}
