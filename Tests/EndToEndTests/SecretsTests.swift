import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import RandomTesting
import Testing

/// Secrets in every spelling (docs/links.md, *Secrets*) through every way in, with the database present and away: then
/// nothing that the service has kept, logged or answered holds one. ``SecretsPlanter`` says what a run tries.
@Suite("Secrets")
struct SecretsTests {
    /// A user id that is not secret. If the search does not find it, the search is broken.
    private static let control = "Ordinary8visitor"

    /// What the search looks through: the home of the service, and the output of the programs.
    private struct Places {
        var home: String
        var said: String

        func keep(_ text: String, as name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(said)/\(name)"))
        }
    }

    private func expectNone(_ planter: SecretsPlanter, keys: [String], in place: String, _ path: String) throws {
        for finding in try SecretsSearch.findings(of: SecretsSearch.patterns(for: SecretsPlanter.mark), in: path)
            .prefix(20)
        {
            let number = finding.firstMatch(of: /q(\d+)q/).flatMap { Int($0.1) }
            let planted = number.flatMap { planter.places.indices.contains($0) ? planter.places[$0] : nil } ?? "unknown"
            Issue.record("\(place) holds what was planted in \(planted): \(finding) (seed \(TestSeeds.first))")
        }
        // The first characters of a key are public: they are its name.
        for finding in try SecretsSearch.findings(of: keys.map { String($0.dropFirst(12)) }, in: path).prefix(20) {
            Issue.record("\(place) holds a key: \(finding)")
        }
    }

    private func expectControl(in place: String, _ path: String) throws {
        #expect(try !SecretsSearch.findings(of: [Self.control], in: path).isEmpty, "\(place) is not searched")
    }

    @Test(.timeLimit(.minutes(10)))
    func areKeptNowhere() async throws {
        try await ClusterTemplate.with(named: "secrets") { cluster, home in
            let said = FileManager.default.temporaryDirectory.appending(path: "said-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: said, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: said) }
            try await plantAndSearch(cluster, Places(home: home, said: said))
        }
    }

    private func plantAndSearch(_ cluster: EmbeddedPostgres, _ places: Places) async throws {
        let (home, said) = (places.home, places.said)
        let database = try await cluster.start()
        let created = try await Programs.tributary(
            ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
            database: database
        )
        let root = try JSONDocument(reading: created.output.utf8).root
        let keys = (
            write: try #require(root["write_key"]?.string), read: try #require(root["read_key"]?.string)
        )
        let ordinary = #"{"type":"install","user_id":"\#(Self.control)"}"#
        var planter = SecretsPlanter(seed: TestSeeds.first, isComplete: TestSeeds.samples > 1)

        let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_LOG_LEVEL": "trace"]
        try await RunningDaemon.with(database: database, environment: environment) { daemon in
            var present = SecretsTraffic(daemon: daemon, keys: keys, isPresent: true, planter: planter)
            try await present.sendEverything()
            #expect(try await daemon.post("/v1/events", key: keys.write, ordinary).status == 200)
            try places.keep(present.answers, as: "answers-present")
            #expect(present.statuses.keys.allSatisfy { $0 < 500 }, "\(present.statuses)")
            #expect(present.statuses[200, default: 0] > 20)

            try await cluster.stop()
            var away = SecretsTraffic(daemon: daemon, keys: keys, isPresent: false, planter: present.planter)
            try await away.sendEverything()
            #expect(try await daemon.post("/v1/events", key: keys.write, ordinary).status == 202)
            try places.keep(away.answers, as: "answers-away")
            // Reports and unknown keys need the database.
            #expect(away.statuses.keys.allSatisfy { $0 < 500 || $0 == 503 }, "\(away.statuses)")
            #expect(away.statuses[202, default: 0] > 20)
            planter = away.planter
            try expectControl(in: "the spool", home + "/spool")
            try expectNone(planter, keys: [keys.write, keys.read], in: "the spool", home + "/spool")

            _ = try await cluster.start()
            try await daemon.waitUntilDelivered()
            await daemon.stop()
            try places.keep(daemon.logText, as: "daemon.log")
            #expect(daemon.logText.contains("stopped"))
        }
        try await runCommands(database, &planter, places)

        let dump = try await SecretsSearch.dump(database)
        #expect(dump.columns > 100)
        try places.keep(dump.text, as: "database")
        try expectControl(in: "the database", "\(said)/database")
        #expect(dump.text.contains("REDACTED"))
        try expectNone(planter, keys: [keys.write, keys.read], in: "what was said or stored", said)
        // Tables, write-ahead log, server log and spool, as they are on the disk.
        try await cluster.stop()
        try expectControl(in: "the files", home)
        try expectNone(planter, keys: [keys.write, keys.read], in: "a file", home)
    }

    private func runCommands(
        _ database: PostgresAddress,
        _ planter: inout SecretsPlanter,
        _ places: Places
    ) async throws {
        let lines = planter.events().joined(separator: "\n")
        let imported = try await Programs.tributary(["import", "--app", "shop", "-"], database: database, input: lines)
        #expect(imported.status == 65, "\(imported.errors)")
        try places.keep(imported.output + imported.errors, as: "import")
        let mapping = places.said + "/mapping.yaml"
        try """
        fields:
          type: {column: type}
          user_id: {column: user_id}
          occurred_at: {column: at}
          url: {column: url}
          error_message: {column: error_message}
          outcome: {column: outcome}
          properties:
            text: {column: properties}
        """.write(toFile: mapping, atomically: true, encoding: .utf8)
        let rows = try await Programs.tributary(
            ["import", "--app", "shop", "--mapping", mapping, "-"],
            database: database,
            input: planter.rows(at: Date.now.formatted(.iso8601))
        )
        #expect(rows.status == 65, "\(rows.errors)")
        try places.keep(rows.output + rows.errors, as: "import-csv")

        var arguments: [[String]] = []
        for core in planter.share(of: 9) { arguments.append(["inspect", planter.text(core, in: "inspect")]) }
        for core in planter.share(of: 9) {
            arguments.append(["inspect", "--post", planter.text(core, in: "inspect --post")])
        }
        arguments += [
            ["rejected", "list", "--app", "shop"], ["report", "refs", "--app", "shop"],
            ["report", "funnel", "--app", "shop", "--steps", "access_token=\(planter.secret("a report's steps"))"],
            ["report", "channels", "--app", "shop", "--goal", "access_token=\(planter.secret("a goal"))", "--sql"],
        ]
        var texts = ""
        for arguments in arguments {
            let outcome = try await Programs.tributary(arguments, database: database)
            texts += "\(arguments[0]) ended with \(outcome.status)\n\(outcome.output)\n\(outcome.errors)\n"
        }
        try places.keep(texts, as: "commands")
    }
}
