import Events
import Foundation
import JSONReading
import RandomTesting
@testable import Reporting
import Testing
import Time

/// The cases of `Tests/InboundLinksTests/Vectors` whose input is events: story joins, and taps told at each launch.
@Suite("Vectors of events")
struct LinkVectorTests {
    /// Nothing but the id is of interest where a test fails.
    struct Case: CustomTestStringConvertible, Sendable {
        var id: String
        var line: String

        var testDescription: String { id }

        static let joins = (try? all("join")) ?? []
        static let touches = (try? all("touches")) ?? []

        private static func all(_ kind: String) throws -> [Case] {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let folder = tests.appending(path: "InboundLinksTests/Vectors")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let lines = try names.filter { $0.hasPrefix("cases-") }.sorted().flatMap { name in
                try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
            }
            return try lines.compactMap { line in
                let root = try JSONDocument(reading: line.utf8).root
                guard root["kind"]?.string == kind else { return nil }
                return Case(id: root["id"]?.string ?? "", line: String(line))
            }
        }
    }

    private static func events(_ body: String, isLinks: Bool = false) throws -> [Event] {
        let receipt = try #require(Timestamp(rfc3339: "2026-11-26T00:00:00Z"))
        var ids = EventIDMaker(randomness: SeededRandom(seed: 1))
        let decoder = BatchDecoder(appID: "game", receivedAt: receipt, impliedType: isLinks ? .inboundLink : nil)
        let batch = try decoder.decode(body.utf8, as: .json, ids: &ids)
        #expect(batch.rejections == [])
        return batch.events.map(\.event)
    }

    private static func rows(_ report: String, of events: [Event]) throws -> [[String]] {
        let request = try Asking.request(
            report,
            ["from": "2026-11-25", "to": "2026-11-26"],
            now: try #require(Timestamp(rfc3339: "2026-11-26T00:00:00Z"))
        )
        return try Asking.rows(request, of: events)
    }

    @Test(arguments: Case.joins)
    func storiesJoin(_ vector: Case) throws {
        let root = try JSONDocument(reading: vector.line.utf8).root
        let link = try #require(root["input"]?["link"]?.string)
        let target = try #require(root["input"]?["target_url"]?.string)
        let events = try Self.events(
            #"""
            [{"type":"feed_post","outcome":"posted","ref":"recipe","link":"\#(link)","occurred_at":"2026-11-25T10:00:00Z"},
             {"type":"inbound_link","user_id":"u","target_url":"\#(target)","occurred_at":"2026-11-25T11:00:00Z"}]
            """#
        )
        let ref = root["expect"]?["joined"]?.kind == .true ? "recipe" : "(none)"
        #expect(try Self.rows("refs", of: events).first { $0[0] == ref }?[7] == "1")
    }

    @Test(arguments: Case.touches)
    func touchesAreCounted(_ vector: Case) throws {
        let document = try JSONDocument(reading: vector.line.utf8)
        let input = try #require(document.root["input"])
        // `T` stands for a time.
        let body = String(decoding: Array(vector.line.utf8)[input.sourceRange], as: UTF8.self)
            .replacing("time_utc=T\"", with: "time_utc=1795600000\"")
        let events = try Self.events(body, isLinks: true)
        #expect(try Self.rows("channels", of: events).last?[1] == document.root["expect"]?["touches"]?.number)
    }

    @Test func areFound() {
        #expect(Case.joins.count >= 9)
        #expect(Case.touches.count >= 4)
    }
}
