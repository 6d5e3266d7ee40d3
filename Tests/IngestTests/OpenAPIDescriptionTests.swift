import Events
import Testing

@testable import Ingest

/// The parts of `openapi.yaml` that the tests need, found by their indentation.
private struct Description {
    /// Statuses by path.
    var statuses: [String: Set<Int>] = [:]
    var methods: [String: [String]] = [:]
    var responses: [String: Set<String>] = [:]
    var listed: [String: [String]] = [:]
    /// The names of an object's properties, by schema.
    var properties: [String: [String]] = [:]

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
                schema = String(content.dropLast())
            case 8 where section == "paths:":
                if let path, content.hasPrefix("'"), let status = Int(content.dropFirst().dropLast(2)) {
                    statuses[path, default: []].insert(status)
                }
            case 8:
                guard let schema else { continue }
                guard content.hasPrefix("- ") else {
                    if content.hasSuffix(":") { properties[schema, default: []].append(String(content.dropLast())) }
                    continue
                }
                let value = content.dropFirst(2)
                if value.hasPrefix("{ const: ") {
                    listed[schema, default: []].append(String(value.dropFirst("{ const: ".count).prefix { $0 != "," }))
                } else {
                    listed[schema, default: []].append(String(value))
                }
            default:
                continue
            }
        }
    }
}

@Suite("openapi.yaml")
struct OpenAPIDescriptionTests {
    private let description = Description(OpenAPIDescription.text)

    @Test func describesEveryRouteAndNoOther() {
        #expect(Set(description.methods.keys) == Set(Route.all.map(\.pattern)))
        for route in Route.all {
            // HEAD is described once for all.
            #expect(description.methods[route.pattern] == route.methods.filter { $0 != "HEAD" })
        }
    }

    @Test(arguments: Route.all.indices)
    func describesEveryStatusAndNoOther(index: Int) {
        let route = Route.all[index]
        var expected = Set((route.problems + Route.everywhere).map(\.status))
        expected.formUnion(route.successes)
        #expect(description.statuses[route.pattern] == expected)
    }

    @Test func listsEveryCode() {
        #expect(description.listed["ProblemCode"] == ProblemCode.allCases.map(\.rawValue))
        #expect(description.listed["RejectionCode"] == Rejection.Code.allCases.map(\.rawValue))
    }

    @Test func describesEveryFieldOfAnEvent() {
        #expect(Set(description.properties["Event"] ?? []) == Set(EventField.allCases.map(\.key)))
    }

    @Test func describesEveryProblemSomewhere() {
        let answered = Set(Route.all.flatMap(\.problems) + Route.everywhere + [.notFound])
        #expect(answered == Set(ProblemCode.allCases))
    }

    @Test func fillsEveryPlaceholder() {
        #expect(TextFiles.openapiYAML.contains("<code>"))
        #expect(!OpenAPIDescription.text.contains("<"))
    }

    @Test func holdsNoTab() {
        #expect(!OpenAPIDescription.text.contains("\t"))
    }
}
