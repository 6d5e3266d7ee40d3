import EmbeddedPostgres
import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// From a post with a short link to the conversions that it brought, while the database goes away in the middle.
@Suite("The story of a short link, end to end")
struct LinkStoryTests {
    private static let host = "go.example.com"
    private static let agent = "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0.0.0 Mobile Safari/537.36"

    private func visit(_ daemon: RunningDaemon, _ method: String) async throws -> RunningDaemon.Answer {
        try await daemon.send(
            method,
            "/recipe",
            headers: [("host", Self.host), ("user-agent", Self.agent)],
            followsRedirects: false
        )
    }

    /// Taps the link.
    ///
    /// - Returns: what Google Play passes on to the app that is installed then.
    private func tap(_ daemon: RunningDaemon) async throws -> String {
        let answer = try await visit(daemon, "GET")
        let address = try #require(answer.headers["location"].first, "\(answer.status)")
        return try #require(address.components(separatedBy: "&referrer=").last?.removingPercentEncoding)
    }

    /// The app of a person who came by a tap: it is installed, he logs in and buys.
    private func send(_ name: String, after referrer: String, to daemon: RunningDaemon, key: String) async throws -> Int
    {
        let events = [
            #"{"type":"install","platform":"android","device_id":"\#(name)-phone","install_referrer":"\#(referrer)"}"#,
            #"{"type":"authentication","device_id":"\#(name)-phone","user_id":"\#(name)"}"#,
            #"{"type":"conversion","user_id":"\#(name)","name":"purchase","value":"9.99","currency":"USD"}"#,
        ]
        return try await daemon.post("/v1/events", key: key, "[\(events.joined(separator: ","))]").status
    }

    /// A report's row of a name, by its columns.
    private func row(_ name: String, of report: String, _ daemon: RunningDaemon, key: String) async throws -> [String:
        String]
    {
        let answer = try await daemon.send("GET", "/v1/reports/\(report)?format=csv&from=1d", key: key)
        let lines = answer.body.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let header = try #require(lines.first)
        let row = try #require(lines.first { $0.first == name }, "\(answer.body)")
        return Dictionary(uniqueKeysWithValues: zip(header, row))
    }

    /// The app was there, and passes on the URL that opened it.
    private func openTheApp(after referrer: String, _ daemon: RunningDaemon, write: String, read: String) async throws {
        let id = try #require(referrer.split(separator: "&").first { $0.hasPrefix("click_id=") })
        let open = #"{"type":"inbound_link","device_id":"eva","url":"shop://recipe?x=1&\#(id)"}"#
        let install = #"{"type":"install","device_id":"eva"}"#
        #expect(try await daemon.post("/v1/events", key: write, "[\(open),\(install)]").status == 200)
        let answer = try await daemon.send("GET", "/v1/attributions?device_id=eva", key: read)
        let credits = try JSONDocument(reading: answer.body.utf8).root["credits"]?.elements.map { $0 } ?? []
        try #require(credits.count == 1, "\(answer.body)")
        #expect(credits[0]["channel"]?.string == "unattributed")
        #expect(credits[0]["link"]?.string == "\(Self.host)/recipe")
        #expect(credits[0]["refs"]?.elements.compactMap(\.string) == ["soup"])
        #expect(credits[0]["target_url"]?.string == "shop://recipe?x=1")
        let links = try await row("\(Self.host)/recipe", of: "links", daemon, key: read)
        #expect(["clicks", "people", "installs"].map { links[$0] } == ["4", "4", "4"])
    }

    @Test func isToldWhole() async throws {
        try await ClusterTemplate.with(named: "story") { cluster, home in try await tell(with: cluster, home: home) }
    }

    private func tell(with cluster: EmbeddedPostgres, home: String) async throws {
        let database = try await cluster.start()
        let made = try await Programs.tributary(
            [
                "app", "create", "--id", "shop", "--name", "Shop", "--format", "json", "--link-host", Self.host,
                "--android-package", "a.b",
            ],
            database: database
        )
        let keys = try JSONDocument(reading: made.output.utf8).root
        let (write, read) = (keys["write_key"]?.string ?? "", keys["read_key"]?.string ?? "")
        let created = try await Programs.tributary(
            ["link", "create", "--slug", "recipe", "--target-url", "https://www.example.com/recipe"],
            database: database
        )
        try #require(created.status == 0, "\(created.errors)")
        let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_LINK_RATE_LIMIT": "0"]
        try await RunningDaemon.with(database: database, environment: environment) { daemon in
            // A HEAD is no click.
            try await daemon.wait(for: "the link") { try await visit(daemon, "HEAD").status == 302 }
            let post =
                #"{"type":"feed_post","user_id":"ann","post_id":"p1","ref":"soup","link":"http://GO.example.com/Recipe/"}"#
            #expect(try await daemon.post("/v1/events", key: write, post).status == 200)
            let first = try await tap(daemon)
            #expect(try await send("bob", after: first, to: daemon, key: write) == 200)

            let early = try await tap(daemon)
            try await cluster.stop()
            let late = try await tap(daemon)
            #expect(try await send("cem", after: late, to: daemon, key: write) == 202)
            _ = try await cluster.start()
            try await daemon.waitUntilDelivered()
            #expect(try await send("dan", after: early, to: daemon, key: write) == 200)

            for (step, name) in ["tap", "install", "authentication", "conversion"].enumerated() {
                let answer = try await daemon.send("GET", "/v1/reports/installs?format=csv&from=1d", key: read)
                #expect(answer.body.contains("\r\ntotal,\(step + 1),\(name),3,"), "\(answer.body)")
            }
            let refs = try await row("soup", of: "refs", daemon, key: read)
            #expect(
                ["posts", "touches", "people", "installs", "conversions", "value"].map { refs[$0] } == [
                    "1", "3", "3", "3", "3", "29.97",
                ]
            )
            let viral = try await row("soup", of: "viral", daemon, key: read)
            #expect(viral["installs"] == "3", "\(viral)")
            let links = try await row("\(Self.host)/recipe", of: "links", daemon, key: read)
            #expect(
                ["clicks", "people", "installs", "authentications", "conversions", "value"].map { links[$0] } == [
                    "3", "3", "3", "3", "3", "29.97",
                ]
            )
            for (name, referrer) in [("bob", first), ("cem", late), ("dan", early)] {
                let answer = try await daemon.send("GET", "/v1/attributions?user_id=\(name)", key: read)
                let credit = try #require(
                    try JSONDocument(reading: answer.body.utf8).root["credits"]?.elements.first { _ in true }
                )
                #expect(referrer.contains(credit["touch_id"]?.string ?? "none"))
                #expect(credit["link"]?.string == "\(Self.host)/recipe")
                #expect(credit["refs"]?.elements.compactMap(\.string) == ["soup"])
                #expect(credit["post_id"]?.string == "p1")
                #expect(credit["poster"]?["user_id"]?.string == "ann")
            }
            try await openTheApp(after: try await tap(daemon), daemon, write: write, read: read)
        }
    }
}
