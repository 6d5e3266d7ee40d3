import ArgumentParser
import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import RandomTesting
import Reporting
import Testing

@testable import tributary

/// A report is the same to the byte on the command line and over HTTP, with data and without.
@Suite("Reports, end to end")
struct ReportBytesTests {
    private static let range = [("from", "2026-10-01"), ("to", "2026-11-15T12:00:00Z"), ("tz", "Europe/Berlin")]
    /// Reports with values that occur in `events`.
    private static let chosen: [(name: String, parameters: [(String, String)])] = [
        ("channels", [("lookback", "36h")]), ("channels", [("by", "week"), ("goal", "buy")]),
        ("refs", [("by", "month")]), ("funnel", [("steps", "touch,install,conversion:buy"), ("by", "ref")]),
        ("installs", [("by", "channel"), ("window", "3d")]), ("attribution", [("model", "all"), ("by", "ref")]),
        ("posts", [("by", "day")]), ("retention", [("period", "week"), ("periods", "2")]),
        (
            "paths",
            [("limit", "3"), ("with", "touch[channel=story_links]"), ("with", "install"), ("without", "app_open@30d")]
        ),
        ("compare", [("a", "gift"), ("b", "=boast,ask"), ("steps", "touch,install")]),
        ("links", [("lookback", "36h")]), ("breakdown", [("by", "ref,hour")]),
    ]
    /// These, and every other report of the catalogue by its examples: each report once, and more often in the nightly
    /// run.
    private static let asked = ReportCatalogue.descriptions.flatMap { report in
        let own = chosen.filter { $0.name == report.name }
        let examples = report.examples.map { (name: report.name, parameters: parameters(of: $0)) }
        return TestSeeds.share(of: own.isEmpty ? examples : own, 1)
    }

    /// The options of a report, without its name.
    private struct ExampleOptions: ParsableArguments {
        @OptionGroup var common: CatalogueOptions<CommonReportOptions>
        @OptionGroup var special: CatalogueOptions<SpecialReportOptions>
    }

    /// Without those that every test gives.
    private static func parameters(of example: String) -> [(String, String)] {
        let options = try? ExampleOptions.parse(example.split(separator: " ").map(String.init))
        return ((options?.common.parameters ?? []) + (options?.special.parameters ?? []))
            .filter { !["from", "to", "tz", "format"].contains($0.name) }
            .map { ($0.name, $0.value) }
    }

    private static let events = """
        {"type":"feed_post","user_id":"ann","outcome":"posted","post_id":"p1","ref":"gift","occurred_at":"2026-11-01T09:00:00Z"}
        {"type":"feed_post","user_id":"bob","outcome":"cancelled","ref":"=boast","occurred_at":"2026-11-01T10:00:00Z"}
        {"type":"inbound_link","user_id":"v1","post_id":"p1","channel":"story_links","occurred_at":"2026-11-02T09:00:00Z"}
        {"type":"install","user_id":"v1","occurred_at":"2026-11-02T09:05:00Z"}
        {"type":"conversion","user_id":"v1","name":"buy","value":"3.10","currency":"EUR","occurred_at":"2026-11-09T08:00:00Z"}
        {"type":"link_click","user_id":"v2","channel":"search","ref":"=boast,ask","occurred_at":"2026-10-24T22:30:00Z"}
        {"type":"install","user_id":"v2","occurred_at":"2026-10-25T01:30:00Z"}
        {"type":"authentication","user_id":"v2","occurred_at":"2026-11-02T01:30:00Z"}
        """

    private static func query(_ parameters: [(String, String)]) -> String {
        parameters.map { name, value in
            let value = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(name)=\(value)"
        }.joined(separator: "&")
    }

    private func withService(
        _ body: @Sendable (RunningDaemon, _ write: String, _ read: String, PostgresAddress) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--currency", "EUR", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let write = try #require(keys["write_key"]?.string)
            let read = try #require(keys["read_key"]?.string)
            try await RunningDaemon.with(database: database.address, environment: Programs.longRetention) { daemon in
                try await body(daemon, write, read, database.address)
            }
        }
    }

    private func told(_ name: String, _ parameters: [(String, String)], _ format: String, _ database: PostgresAddress)
        async throws -> Programs.Outcome
    {
        // A flag stands alone.
        let options = (parameters + [("format", format)]).map { $0.1 == "true" ? "--\($0.0)" : "--\($0.0)=\($0.1)" }
        return try await Programs.tributary(["report", name, "--app", "shop"] + options, database: database)
    }

    @Test func areTheSameBytesOnBothWays() async throws {
        try await withService { daemon, write, read, database in
            for (name, parameters) in TestSeeds.share(of: Self.asked, 5) {
                let parameters = Self.range + parameters
                let empty = try await told(name, parameters, "csv", database)
                #expect(empty.status == 0, "\(name): \(empty.errors)")
                // An app without events has no goal and no ref.
                let errors = empty.errors.split(separator: "\n").filter { !$0.hasPrefix("tributary: warning: ") }
                #expect(errors == ["tributary: no event has been received yet"], "\(name): \(empty.errors)")
                let answer = try await daemon.send(
                    "GET",
                    "/v1/reports/\(name)?format=csv&\(Self.query(parameters))",
                    key: read
                )
                #expect(answer.body == empty.output && answer.body.contains("\r\n"), "\(name)")
            }
            let stored = try await daemon.send(
                "POST",
                "/v1/events",
                key: write,
                type: "application/x-ndjson",
                body: Array(Self.events.utf8)
            )
            #expect(try JSONDocument(reading: stored.body.utf8).root["accepted"]?.number == "8", "\(stored.body)")
            for (number, (name, parameters)) in Self.asked.enumerated() {
                let parameters = Self.range + parameters
                // In turn.
                let one = ["csv", "json"][(number + Int(TestSeeds.first / 100_000)) % 2]
                for format in TestSeeds.isNightly ? ["csv", "json"] : [one] {
                    let printed = try await told(name, parameters, format, database)
                    let path = "/v1/reports/\(name)?format=\(format)&\(Self.query(parameters))"
                    let answer = try await daemon.send("GET", path, key: read)
                    #expect(answer.status == 200 && printed.status == 0, "\(path)")
                    #expect(Array(answer.body.utf8) == Array(printed.output.utf8), "\(path)")
                    let tag = try #require(answer.headers.first(name: "etag"))
                    let again = try await daemon.send("GET", path, key: read, headers: [("if-none-match", tag)])
                    #expect(again.status == 304 && again.body.isEmpty, "\(path)")
                }
            }
        }
    }

    @Test func takeAPasswordAndGiveAFileName() async throws {
        try await withService { daemon, write, read, _ in
            let path = "/v1/reports/channels?format=csv&\(Self.query(Self.range))"
            let basic = Data("excel:\(read)".utf8).base64EncodedString()
            let answer = try await daemon.send("GET", path, headers: [("authorization", "Basic \(basic)")])
            #expect(answer.status == 200)
            #expect(
                answer.headers.first(name: "content-disposition")
                    == #"attachment; filename="channels-shop-2026-10-01-2026-11-15.csv""#
            )
            #expect(answer.headers.first(name: "cache-control") == "private, no-cache")
            let head = try await daemon.send("HEAD", path, key: read)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers.first(name: "etag") == answer.headers.first(name: "etag"))
            let writing = Data("excel:\(write)".utf8).base64EncodedString()
            let refused = try await daemon.send(
                "POST",
                "/v1/events",
                headers: [("authorization", "Basic \(writing)")],
                body: Array(#"{"type":"install","user_id":"u"}"#.utf8)
            )
            #expect(refused.status == 401)
            #expect(!daemon.logText.contains(basic) && !daemon.logText.contains(writing))
        }
    }

    /// If a parameter does not exist, the report lists those that do.
    @Test func areDescribedWithAllTheirParameters() async throws {
        try await withService { daemon, _, read, _ in
            func allowed(_ path: String) async throws -> [String] {
                let answer = try await daemon.send("GET", path, key: read)
                #expect(answer.status == 400)
                return try JSONDocument(reading: answer.body.utf8).root["allowed"]?.elements.compactMap(\.string) ?? []
            }
            let names = try await allowed("/v1/reports/nothing")
            #expect(names == ReportCatalogue.names)
            let description = try await daemon.send("GET", "/openapi.yaml").body
            let paths = description.components(separatedBy: "\n  /v1/")
            for name in names {
                let path = try #require(paths.first { $0.hasPrefix("reports/\(name):\n") })
                // Neither more nor fewer.
                let described = path.components(separatedBy: "\n        - ").compactMap { parameter -> String? in
                    let start = [#"{"name":""#, "name: "].first { parameter.hasPrefix($0) }
                    return start.map { String(parameter.dropFirst($0.count).prefix { $0 != "\"" && $0 != "\n" }) }
                }
                let known = try await allowed("/v1/reports/\(name)?nothing=1")
                #expect(Set(described).subtracting(["If-None-Match"]) == Set(known), "\(name)")
            }
        }
    }
}
