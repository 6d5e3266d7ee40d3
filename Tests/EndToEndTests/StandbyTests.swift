import Foundation
import JSONReading
import Postgres
import Testing

/// Reports and exports of a real streaming standby, through the real programs.
@Suite("A standby for questions")
struct StandbyTests {
    private static let questions: [[String]] = [
        ["report", "channels"], ["report", "refs"], ["report", "goals"],
        ["report", "breakdown", "--by", "channel,ref"],
        ["report", "funnel", "--steps", "touch,authentication", "--by", "channel"],
        ["report", "viral"], ["report", "paths"],
        ["export", "events"], ["export", "credits"], ["export", "people", "--since", "0"],
    ]
    private static let range = ["--app", "shop", "--from", "2026-11-01", "--to", "2026-11-20"]

    private func events(_ people: Range<Int>) -> String {
        people.map { person in
            let day = String(person % 9 + 10)
            return """
                {"type":"inbound_link","user_id":"u\(person)","channel":"c\(person % 3)","ref":"r\(person % 5)",\
                "occurred_at":"2026-11-\(day)T09:00:00Z"}
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
                #expect(stored.status == 200, "\(stored.body)")
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

        try servers.endPrimary()
        for (question, expected) in zip(Self.questions, answers) {
            let answer = try await Programs.tributary(question + Self.range, database: standby)
            #expect(answer.status == 0, "\(question): \(answer.errors)")
            #expect(answer.output == expected, "\(question)")
        }
    }
}
