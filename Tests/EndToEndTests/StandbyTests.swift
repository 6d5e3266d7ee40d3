import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import RandomTesting
import Testing

/// Reports and exports of a real streaming standby, through the real programs.
@Suite("A standby for questions")
struct StandbyTests {
    /// Four, by the seed; all of them in the nightly run.
    private static let questions: [[String]] = TestSeeds.share(
        of: [
            ["report", "channels"], ["report", "refs"], ["report", "goals"],
            ["report", "breakdown", "--by", "channel,ref"],
            ["report", "funnel", "--steps", "touch,authentication", "--by", "channel"],
            ["report", "viral"], ["report", "paths"],
            ["export", "events"], ["export", "credits", "--event", "conversion"], ["export", "people", "--since", "0"],
        ],
        4
    )
    private static let range = ["--app", "shop", "--from", "2026-11-01", "--to", "2026-11-20"]

    private let sources = ["search", "bookmark", "feed"]

    private func events(_ people: Range<Int>) -> String {
        people.map { person in
            let day = String(person % 9 + 10)
            return """
                {"type":"inbound_link","user_id":"u\(person)","occurred_at":"2026-11-\(day)T09:00:00Z",\
                "url":"https://shop.example/?ref=r\(person % 5)&fb_source=\(sources[person % 3])"}
                {"type":"authentication","user_id":"u\(person)","occurred_at":"2026-11-\(day)T09:01:00Z"}
                {"type":"conversion","user_id":"u\(person)","name":"premium","occurred_at":"2026-11-\(day)T09:02:00Z"}

                """
        }.joined()
    }

    @Test func answersAsThePrimaryDoesAndAlsoWhenThatIsGone() async throws {
        let servers = try ReplicatedServers()
        defer { servers.end() }
        let (primary, standby) = (servers.primary, servers.standby)
        let made = try await Programs.tributary(
            ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
            database: primary
        )
        let write = try #require(try JSONDocument(reading: made.output.utf8).root["write_key"]?.string)
        var answers: [String] = []
        try await RunningDaemon.with(database: primary, environment: Programs.longRetention) { daemon in
            for round in 0..<3 {
                let stored = try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: write,
                    type: "application/x-ndjson",
                    body: Array(events(round * 40..<round * 40 + 40).utf8)
                )
                #expect(stored.status == 200 && stored.body.contains(#""accepted":120,"#), "\(stored.body)")
                // The last round stays partly unpacked.
                if round == 1 {
                    let packed = try await Programs.tributary(["rebuild", "--app", "shop"], database: primary)
                    #expect(packed.status == 0, "\(packed.errors)")
                }
            }
        }
        try await servers.replayAll()
        for question in Self.questions {
            let arguments = question + Self.range
            let expected = try await Programs.tributary(arguments, database: primary)
            let answer = try await Programs.tributary(arguments, database: standby)
            #expect(expected.status == 0 && answer.status == 0, "\(question): \(expected.errors) \(answer.errors)")
            #expect(answer.output == expected.output, "\(question)")
            #expect(expected.output.split(whereSeparator: \.isNewline).count > 1, "\(question)")
            #expect(!expected.errors.contains("standby"))
            #expect(answer.errors.contains("tributary: as of 2"), "\(answer.errors)")
            #expect(answer.errors.contains("), replayed by a standby\n"), "\(answer.errors)")
            answers.append(answer.output)
        }
        let json = try await Programs.tributary(
            ["report", "channels", "--format", "json"] + Self.range,
            database: standby
        )
        let place = try JSONDocument(reading: json.output.utf8).root["standby"]
        #expect(place?["as_of"]?.string?.hasSuffix("Z") == true, "\(json.output)")
        #expect(place?["position"]?.string?.contains("/") == true, "\(json.output)")

        let folder = FileManager.default.temporaryDirectory.appending(path: "standby-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/events.csv"
        let exported = try await Programs.tributary(
            ["export", "events", "--output", file, "--manifest"] + Self.range,
            database: standby
        )
        #expect(exported.status == 0, "\(exported.errors)")
        let manifest = try JSONDocument(reading: Array(Data(contentsOf: URL(filePath: file + ".manifest.json"))))
        #expect(manifest.root["standby"]?["position"]?.string?.contains("/") == true)

        for command in [
            ["app", "create", "--id", "other", "--name", "Other"], ["rebuild", "--app", "shop"],
            ["question", "save", "mine", "--app", "shop", "--", "report", "channels"],
        ] {
            let refused = try await Programs.tributary(command, database: standby)
            #expect(refused.status == 69, "\(command): \(refused.errors)")
            #expect(
                refused.errors == """
                    tributary: this command writes, and the database is read-only, as a standby is: name the primary \
                    with --database

                    """,
                "\(command)"
            )
        }

        try await servers.endPrimary()
        for (question, expected) in zip(Self.questions, answers) {
            let answer = try await Programs.tributary(question + Self.range, database: standby)
            #expect(answer.status == 0, "\(question): \(answer.errors)")
            #expect(answer.output == expected, "\(question)")
        }
    }

    /// `report.database`: the daemon stores at the primary, and reads for reports at the standby.
    @Test func answersForTheDaemonAlsoWhenThePrimaryIsGone() async throws {
        let servers = try ReplicatedServers()
        defer { servers.end() }
        let made = try await Programs.tributary(
            ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
            database: servers.primary
        )
        let keys = try JSONDocument(reading: made.output.utf8).root
        let (write, read) = (try #require(keys["write_key"]?.string), try #require(keys["read_key"]?.string))
        let settings = ["TRIBUTARY_REPORT_DATABASE_URL": servers.standby.keywords]
        let path = "/v1/reports/channels?from=2026-11-01&to=2026-11-20&format="
        let form = "application/x-www-form-urlencoded"
        let page = "/?from=2026-11-01&through=2026-11-19"
        try await RunningDaemon.with(
            database: servers.primary,
            environment: Programs.longRetention.merging(settings) { $1 }
        ) { daemon in
            func store(_ people: Range<Int>) async throws -> Int {
                try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: write,
                    type: "application/x-ndjson",
                    body: Array(events(people).utf8)
                ).status
            }
            #expect(try await store(0..<40) == 200)
            try await servers.replayAll()
            let expected = try await Programs.tributary(
                ["report", "channels"] + Self.range,
                database: servers.primary
            )
            let signIn = try await daemon.send(
                "POST",
                "/sign-in",
                type: form,
                body: Array("key=\(read)&then=%2F".utf8),
                followsRedirects: false
            )
            let cookie = try #require(signIn.headers.first(name: "set-cookie")).prefix { $0 != ";" }
            let session = [("cookie", String(cookie))]
            try await servers.replayAll()

            func readEverything() async throws {
                let csv = try await daemon.send("GET", path + "csv", key: read)
                #expect(csv.status == 200 && csv.body == expected.output, "\(csv.body)")
                let notice = csv.headers.first(name: "tributary-notice") ?? ""
                #expect(notice.hasPrefix("as of 2") && notice.hasSuffix("replayed by a standby"), "\(csv.headers)")
                let json = try await daemon.send("GET", path + "json", key: read)
                #expect(try JSONDocument(reading: json.body.utf8).root["standby"]?["position"]?.string != nil)
                let overview = try await daemon.send("GET", page, headers: session)
                #expect(overview.status == 200)
                #expect(overview.body.contains("As of 2") && overview.body.contains("replayed by a standby."))
                #expect(overview.body.contains("ref%3Dr1"), "a ref of the events")
            }
            try await readEverything()
            try await servers.endPrimary()
            #expect(try await store(40..<50) == 202)
            try await readEverything()
            // Beginning a session writes.
            let refused = try await daemon.send("POST", "/sign-in", type: form, body: Array("key=\(read)".utf8))
            #expect(refused.status == 503)
        }
    }
}
