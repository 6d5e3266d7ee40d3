import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

@testable import Ingest

@Suite("Reading saved questions")
struct QuestionEndpointTests {
    @Test func answersInTheFormatOfTheAddress() async throws {
        try await Daemon().test { client in
            let csv = try await client.get("/v1/questions/by-ref.csv", headers: [.accept: "application/json"])
            #expect(csv.status == .ok && csv.text == "asked\r\nby=week\r\n")
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8")
            let json = try await client.get("/v1/questions/by-ref.json", headers: [.accept: "text/csv"])
            #expect(json.text == #"[{"asked":"by=week"}]"#)
            let tag = try #require(json.headers[.eTag])
            let again = try await client.get("/v1/questions/by-ref.json", headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified)
        }
    }

    @Test(arguments: ["by-ref", "nothing.csv", "by-ref.xml", "by-ref.", ".csv", "a%20b.csv"])
    func knowsNoOther(name: String) async throws {
        try await Daemon().test { client in
            let response = try await client.get("/v1/questions/\(name)")
            #expect(response.status == .notFound)
            #expect(try JSONDocument(reading: response.text.utf8).root["code"]?.string == "unknown_question")
        }
    }

    @Test func takesNoParameters() async throws {
        try await Daemon().test { client in
            for path in ["/v1/questions?limit=1", "/v1/questions/by-ref.csv?from=7d"] {
                let response = try await client.get(path)
                #expect(response.status == .badRequest)
                #expect(try JSONDocument(reading: response.text.utf8).root["code"]?.string == "invalid_parameter")
            }
            #expect(try await client.get("/v1/questions").text == #"{"questions":[]}"#)
        }
    }

    /// A header is ASCII.
    @Test func warnsInAHeader() async throws {
        try await Daemon().test { client in
            let name = try #require(HTTPField.Name("Tributary-Warning"))
            let warned = try await client.get("/v1/reports/channels?format=csv&goal=x")
            #expect(warned.headers[values: name] == ["no event has the goal '%C3%A9%25'"])
            #expect(try await client.get("/v1/reports/channels?format=csv").headers[values: name].isEmpty)
        }
    }
}
