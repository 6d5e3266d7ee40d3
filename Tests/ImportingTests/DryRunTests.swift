import Foundation
import JSONReading
import Storage
import Testing
import Time

@testable import Importing

/// A dry run shows the events that would be stored, and no more than would be stored.
@Suite("Dry runs of an import")
struct DryRunTests {
    private func run(_ text: String, mapping: String? = nil) async throws -> (events: [String], tally: ImportTally) {
        let url = FileManager.default.temporaryDirectory.appending(path: "dry-\(UUID())")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var settings = EventImporter.Settings()
        settings.mapping = try mapping.map { try ImportMapping(yaml: $0, name: "map.yaml") }
        let app = App(number: 0, profile: AppProfile(id: "shop", name: "Shop"))
        var events: [String] = []
        var importer = EventImporter(app: app, settings: settings, destination: nil) { notice in
            if case .event(let json) = notice { events.append(json) }
        }
        try await importer.run([url.path])
        return (events, importer.tally)
    }

    @Test func printNoSecret() async throws {
        let lines = [
            #"{"type":"inbound_link","user_id":"u","url":"fb1://authorize#access_token=zqsecret&target_url=a%3A%2F%2Fb"}"#,
            #"{"type":"authentication","user_id":"u","url":"https://a.example/?code=zqsecretzqsecretzqsecret&state=zqsecret"}"#,
            #"{"type":"feed_post","user_id":"u","callback_url":"fbconnect://success?post_id=1&access_token=zqsecret"}"#,
            #"{"type":"app_open","user_id":"u","properties":{"access_token":"zqsecret","n":1.50,"a":["jwt=zqsecret"]}}"#,
            #"{"type":"app_open", "user_id":"u\u0026jwt=zqsecret"}"#,
        ]
        let (events, tally) = try await run(lines.joined(separator: "\n"))
        #expect(tally.accepted == 5)
        #expect(events.count == 5)
        for event in events {
            #expect(event.contains("REDACTED") && !event.contains("zqsecret"), "\(event)")
            #expect(try JSONDocument(reading: event.utf8).root["user_id"]?.string != nil)
        }
        let mapping = """
            csv: {delimiter: comma}
            fields: {type: inbound_link, occurred_at: {column: at}, user_id: {column: user}, url: {column: url}}
            """
        let table = "at,user,url\n\(Timestamp.now.rfc3339),u,https://a.example/?access_token=zqsecret&fb_ref=recipe\n"
        let mapped = try await run(table, mapping: mapping).events
        #expect(mapped.count == 1 && mapped[0].contains("access_token=REDACTED&fb_ref=recipe"), "\(mapped)")
    }

    /// A table without names of columns has data in their place.
    @Test func repeatNoSecretOfAFirstRow() async throws {
        let mapping = """
            fields: {type: inbound_link, occurred_at: {column: at}, user_id: {column: user}, url: {column: url}}
            """
        let error = await #expect(throws: ImportError.self) {
            _ = try await run("u,https://a.example/?access_token=zqsecret\nv,https://a.example/\n", mapping: mapping)
        }
        #expect(error?.description.contains("has no column") == true)
        #expect(error?.description.contains("zqsecret") == false, "\(error?.description ?? "")")
    }

    @Test func countWhatIsLeftOut() async throws {
        let line = #"{"type":"app_open","user_id":"u","country":"419","language":"?"}"#
        let tally = try await run("\(line)\n\(line)\n").tally
        #expect(tally.accepted == 2)
        #expect(tally.warned == ["field_left_out country": 2, "field_left_out language": 2])
    }
}
