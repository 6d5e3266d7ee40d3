import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import Testing

/// Every spelling of a secret (docs/links.md, *Secrets*) through every way in, with the database present and away: then
/// nothing that the service has kept, logged or answered holds one.
@Suite("Secrets")
struct SecretsTests {
    /// A user id that is not secret. If the search does not find it, the search is broken.
    private static let control = "Ordinary8visitor"

    private let folder: String
    private var home: String { folder + "/home" }
    /// The output of the programs, for the search.
    private var said: String { folder + "/said" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(
            atPath: folder + "/said",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    private func keep(_ text: String, as name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(said)/\(name)"))
    }

    private func expectNone(_ planter: SecretsPlanter, keys: [String], in place: String, _ path: String) throws {
        for finding in try SecretsSearch.findings(of: SecretsSearch.patterns(for: SecretsPlanter.mark), in: path)
            .prefix(20)
        {
            let number = finding.firstMatch(of: /q(\d+)q/).flatMap { Int($0.1) }
            let planted = number.flatMap { planter.places.indices.contains($0) ? planter.places[$0] : nil } ?? "unknown"
            Issue.record("\(place) holds what was planted in \(planted): \(finding)")
        }
        // The first characters of a key are public: they are its name.
        for finding in try SecretsSearch.findings(of: keys.map { String($0.dropFirst(12)) }, in: path).prefix(20) {
            Issue.record("\(place) holds a key: \(finding)")
        }
    }

    private func expectControl(in place: String, _ path: String) throws {
        #expect(try !SecretsSearch.findings(of: [Self.control], in: path).isEmpty, "\(place) is not searched")
    }

    private func waitUntilDelivered(_ daemon: RunningDaemon) async throws {
        for _ in 0..<20_000 {
            let answer = try await daemon.send("GET", "/readyz")
            if answer.body.contains(#""database":"present""#), answer.body.contains(#""spool_events":0"#) { return }
            await Task.yield()
        }
        Issue.record("the spool was not delivered")
    }

    @Test(.timeLimit(.minutes(10)))
    func areKeptNowhere() async throws {
        let cluster = EmbeddedPostgres(home: home)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            try await plantAndSearch(cluster)
        } catch {
            try? await cluster.stop()
            throw error
        }
        try await cluster.stop()
    }

    private func plantAndSearch(_ cluster: EmbeddedPostgres) async throws {
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
        var planter = SecretsPlanter()

        let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_LOG_LEVEL": "trace"]
        try await RunningDaemon.with(database: database, environment: environment) { daemon in
            var present = SecretsTraffic(daemon: daemon, keys: keys, planter: planter)
            try await present.sendEverything()
            #expect(try await daemon.post("/v1/events", key: keys.write, ordinary).status == 200)
            try keep(present.answers, as: "answers-present")
            #expect(present.statuses.keys.allSatisfy { $0 < 500 }, "\(present.statuses)")
            #expect(present.statuses[200, default: 0] > 20)

            try await cluster.stop()
            var away = SecretsTraffic(daemon: daemon, keys: keys, planter: present.planter)
            try await away.sendEverything()
            #expect(try await daemon.post("/v1/events", key: keys.write, ordinary).status == 202)
            try keep(away.answers, as: "answers-away")
            // Reports and unknown keys need the database.
            #expect(away.statuses.keys.allSatisfy { $0 < 500 || $0 == 503 }, "\(away.statuses)")
            #expect(away.statuses[202, default: 0] > 20)
            planter = away.planter
            try expectControl(in: "the spool", home + "/spool")
            try expectNone(planter, keys: [keys.write, keys.read], in: "the spool", home + "/spool")

            _ = try await cluster.start()
            try await waitUntilDelivered(daemon)
            await daemon.stop()
            try keep(daemon.logText, as: "daemon.log")
            #expect(daemon.logText.contains("stopped"))
        }
        try await runCommands(database, &planter)

        let dump = try await SecretsSearch.dump(database)
        #expect(dump.columns > 100)
        try keep(dump.text, as: "database")
        try expectControl(in: "the database", "\(said)/database")
        #expect(dump.text.contains("REDACTED"))
        try expectNone(planter, keys: [keys.write, keys.read], in: "what was said or stored", said)
        // Tables, write-ahead log, server log and spool, as they are on the disk.
        try await cluster.stop()
        try expectControl(in: "the files", home)
        try expectNone(planter, keys: [keys.write, keys.read], in: "a file", home)
    }

    private func runCommands(_ database: PostgresAddress, _ planter: inout SecretsPlanter) async throws {
        let lines = planter.events().joined(separator: "\n")
        let imported = try await Programs.tributary(["import", "--app", "shop", "-"], database: database, input: lines)
        #expect(imported.status == 65, "\(imported.errors)")
        try keep(imported.output + imported.errors, as: "import")
        let mapping = folder + "/mapping.yaml"
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
        try keep(rows.output + rows.errors, as: "import-csv")

        var arguments: [[String]] = []
        for (number, core) in SecretsSpelling.cores.enumerated() {
            arguments.append(["inspect", planter.text(core, in: "inspect")])
            if number % 3 == 0 { arguments.append(["inspect", "--post", planter.text(core, in: "inspect --post")]) }
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
        try keep(texts, as: "commands")
    }
}
