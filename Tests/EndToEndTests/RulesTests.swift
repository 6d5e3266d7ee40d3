import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

@Suite("Rules of an app, end to end")
struct RulesTests {
    private static let yaml = """
        refs: [utm_campaign]
        rules:
          - when: {utm_source: "news*"}
            channel: story_links
            ref: newsletter

        """

    fileprivate struct Setting: Sendable {
        var database: TestDatabase
        var daemon: RunningDaemon
        var writeKey: String
        var readKey: String
        /// A folder for files.
        var folder: String

        func run(_ arguments: [String]) async throws -> Programs.Outcome {
            try await Programs.tributary(arguments, database: database.address)
        }

        /// The version and the text of the rules, as JSON has them.
        func shown() async throws -> [String?] {
            let outcome = try await run(["app", "rules", "show", "shop", "--format", "json"])
            let root = try JSONDocument(reading: outcome.output.utf8).root
            return [root["version"]?.number, root["yaml"]?.string]
        }

        /// Writes a file, and returns its path.
        func file(_ name: String, _ text: String) throws -> String {
            let path = "\(folder)/\(name)"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        func touch(_ url: String) async throws {
            let event = #"{"type":"inbound_link","user_id":"ann","url":"\#(url)"}"#
            #expect(try await daemon.post("/v1/events", key: writeKey, event).status == 200)
        }

        /// The channel, the rule and the refs of the touch that was stored last.
        func lastTouch() async throws -> [String] {
            try await database.pool.withConnection { connection in
                try connection.query(
                    """
                    select channel::text, channel_rule, array_to_string(refs, ',')
                    from event
                    order by received_at desc
                    limit 1
                    """
                ).first.map { row in try (0..<3).map { try row.text($0) } } ?? []
            }
        }
    }

    private func withSetting(_ body: @Sendable (Setting) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: outcome.output.utf8).root
            let (write, read) = (
                try #require(keys["write_key"]?.string), try #require(keys["read_key"]?.string)
            )
            try await RunningDaemon.with(database: database.address) { daemon in
                try await body(
                    Setting(database: database, daemon: daemon, writeKey: write, readKey: read, folder: folder)
                )
            }
        }
    }

    @Test func areSetFollowedAndCleared() async throws {
        try await withSetting { setting in
            let url = "https://a.example/?utm_source=news7&utm_campaign=spring"
            try await setting.touch(url)
            #expect(try await setting.lastTouch() == ["unattributed", "unattributed", ""])

            #expect(try await setting.shown() == [nil, nil])
            let file = try setting.file("rules.yaml", Self.yaml)
            let set = try await setting.run(["app", "rules", "set", "shop", file])
            #expect(set.status == 0, "\(set.errors)")
            #expect(set.output.contains("version: 1\n") && set.output.contains("rules: 1\nrefs: utm_campaign\n"))
            // The daemon follows within a second; each try takes the time of a request.
            var tries = 0
            repeat {
                try await setting.touch(url)
                tries += 1
            } while try await setting.lastTouch()[1] != "app:1" && tries < 20_000
            #expect(try await setting.lastTouch() == ["story_links", "app:1", "newsletter"])

            let shown = try await setting.run(["app", "rules", "show", "shop"])
            #expect(shown.output == Self.yaml)
            #expect(shown.errors.hasPrefix("version 1, set at "))
            #expect(try await setting.shown() == ["1", Self.yaml])
            #expect(try await setting.run(["app", "rules", "set", "shop", file]).errors.hasPrefix("nothing changes"))

            let bad = try setting.file("bad.yaml", Self.yaml + "  - when: {utm_source: news}\n    channel: other\n")
            let refused = try await setting.run(["app", "rules", "set", "shop", bad])
            #expect(refused.status == 65)
            #expect(refused.errors.contains("bad.yaml:6: rule 2 can never apply"))
            #expect(try await setting.run(["app", "rules", "show", "shop"]).output == Self.yaml)

            let inspected = try await setting.run(["inspect", "--app", "shop", url])
            #expect(inspected.output.contains(#""rule": "app:1""#), "\(inspected.output)")
            let tried = try await setting.run(["inspect", "--rules", file, url])
            #expect(tried.output == inspected.output)
            #expect(try await setting.run(["inspect", url]).output.contains(#""rule": "unattributed""#))

            #expect(try await setting.run(["app", "rules", "clear", "shop"]).status == 0)
            #expect(try await setting.run(["app", "rules", "show", "shop"]).output == "")
            #expect(try await setting.shown() == ["2", nil])
            #expect(try await setting.run(["app", "rules", "show", "shop", "--version", "1"]).output == Self.yaml)
            #expect(try await setting.run(["app", "rules", "show", "shop", "--version", "9"]).status == 64)
            let versions = try await setting.run(["app", "rules", "show", "shop", "--versions", "--format", "json"])
            #expect(try JSONDocument(reading: versions.output.utf8).root.count == 2)
            #expect(try await setting.run(["app", "rules", "show", "none"]).status == 64)
        }
    }

    @Test func historyIsReadAgain() async throws {
        try await withSetting { setting in
            for _ in 0..<3 { try await setting.touch("https://a.example/?utm_source=news1") }
            try await setting.touch("https://a.example/?utm_campaign=spring")
            try await setting.touch("https://a.example/")
            let file = try setting.file("rules.yaml", Self.yaml)
            #expect(try await setting.run(["app", "rules", "set", "shop", file]).status == 0)

            let moves =
                "from_channel,from_ref,to_channel,to_ref,touches\r\n"
                + "unattributed,,story_links,newsletter,3\r\nunattributed,,unattributed,spring,1\r\n"
            let preview = try await setting.run(["reread", "--app", "shop", "--dry-run"])
            #expect(preview.output == moves)
            #expect(preview.errors == "4 touches move; nothing was changed\n")
            #expect(try await setting.refs().contains("newsletter") == false)

            let reread = try await setting.run(["reread", "--app", "shop"])
            #expect(reread.status == 0)
            #expect(reread.output == moves)
            #expect(reread.errors == "4 touches move\n4 touches rewritten, packed timelines made again\n")
            #expect(try await setting.refs().contains("newsletter,0,0,0,0,,0,3,1,"))

            let again = try await setting.run(["reread", "--app", "shop", "--format", "json"])
            #expect(try JSONDocument(reading: again.output.utf8).root["moved"]?.number == "0")
            #expect(again.errors.contains("nothing to change"))
            #expect(try await setting.run(["reread", "--app", "shop", "--from", "never"]).status == 64)
        }
    }

    @Test func reportsSayThatHistoryIsBeingReadAgain() async throws {
        try await withSetting { setting in
            try await setting.touch("https://a.example/")
            let install = #"{"type":"install","user_id":"ann"}"#
            #expect(try await setting.daemon.post("/v1/events", key: setting.writeKey, install).status == 200)
            let path = "/v1/reports/channels"
            #expect(
                try await setting.daemon.send("GET", path, key: setting.readKey).headers["tributary-notice"].isEmpty
            )
            // A run that was killed.
            try await setting.database.pool.withConnection { connection in
                _ = try connection.execute("insert into reread values (1, 0, now(), null, 0)")
            }
            let answer = try await setting.daemon.send("GET", path, key: setting.readKey)
            #expect(answer.headers["tributary-notice"].first?.hasPrefix("history is being read again since ") == true)
            let attribution = "/v1/attributions?user_id=ann"
            let credits = try await setting.daemon.send("GET", attribution, key: setting.readKey)
            #expect(credits.headers["tributary-notice"] == answer.headers["tributary-notice"])
            let report = try await setting.run(["report", "channels", "--app", "shop"])
            #expect(report.status == 0)
            #expect(report.errors.contains("history is being read again since "))
            // The next run finishes it.
            #expect(try await setting.run(["reread", "--app", "shop"]).status == 0)
            #expect(
                try await setting.daemon.send("GET", path, key: setting.readKey).headers["tributary-notice"].isEmpty
            )
            #expect(
                try await setting.daemon.send("GET", attribution, key: setting.readKey)
                    .headers["tributary-notice"].isEmpty
            )
            let manifest = "\(setting.folder)/events.json"
            let export = try await setting.run([
                "export", "events", "--app", "shop", "--output", "\(setting.folder)/events.csv", "--manifest", manifest,
            ])
            #expect(export.status == 0)
            let rules = try JSONDocument(reading: Data(contentsOf: URL(fileURLWithPath: manifest))).root["rules"]
            #expect(rules?["version"]?.kind == .null)
            #expect(rules?["reread"]?["version"]?.number == "0")
            #expect(rules?["reread"]?["finished_at"]?.string != nil)
        }
    }
}

extension RulesTests.Setting {
    fileprivate func refs() async throws -> String {
        try await run(["report", "refs", "--app", "shop", "--format", "csv"]).output
    }
}
