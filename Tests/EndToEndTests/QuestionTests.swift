import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// Saved questions on the command line and over HTTP, through the real programs.
@Suite("Saved questions, end to end")
struct QuestionTests {
    private static let events = """
        {"type":"inbound_link","user_id":"ann","channel":"search","ref":"gift","occurred_at":"2026-11-01T09:00:00Z"}
        {"type":"authentication","user_id":"ann","occurred_at":"2026-11-01T09:01:00Z"}
        {"type":"authentication","user_id":"bob","outcome":"failed","error_code":200,"occurred_at":"2026-11-01T09:02:00Z"}
        {"type":"conversion","user_id":"ann","name":"premium","value":"3.10","currency":"EUR","occurred_at":"2026-11-01T09:03:00Z"}
        """
    private static let range = ["--from", "2026-11-01", "--to", "2026-11-02"]

    private func withService(
        _ body: @Sendable (RunningDaemon, _ read: String, PostgresAddress) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--currency", "EUR", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let (write, read) = (try #require(keys["write_key"]?.string), try #require(keys["read_key"]?.string))
            try await RunningDaemon.with(database: database.address, environment: Programs.longRetention) { daemon in
                let stored = try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: write,
                    type: "application/x-ndjson",
                    body: Array(Self.events.utf8)
                )
                #expect(stored.status == 200, "\(stored.body)")
                try await body(daemon, read, database.address)
            }
        }
    }

    @Test func keepTheirAddressWhileTheyChange() async throws {
        try await withService { daemon, read, database in
            func tributary(_ arguments: [String]) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: database)
            }
            func csv() async throws -> String {
                let answer = try await daemon.send("GET", "/v1/questions/mine.csv", key: read)
                #expect(answer.status == 200, "\(answer.body)")
                return answer.body
            }
            let reports: [(String, [String])] = [
                ("goals", []), ("logins", []), ("funnel", ["--by", "ref", "--exclude", "feed_post"]),
            ]
            for (name, parameters) in reports {
                let report = [name] + Self.range + parameters
                let saved = try await tributary(
                    ["question", "save", "mine", "--replace", "--", "report"] + report
                )
                #expect(saved.status == 0, "\(saved.errors)")
                let asked = try await tributary(["report"] + report + ["--format", "csv"])
                let run = try await tributary(["question", "run", "mine"])
                #expect(asked.status == 0 && run.status == 0, "\(asked.errors)\(run.errors)")
                #expect(run.output == asked.output && asked.output.contains("\r\n"))
                #expect(try await csv() == asked.output)
                let json = try await daemon.send("GET", "/v1/questions/mine.json", key: read)
                let printed = try await tributary(["question", "run", "mine", "--format", "json"])
                #expect(json.body == printed.output)
                let shown = try await tributary(["question", "show", "mine", "--format", "json"])
                let command = try JSONDocument(reading: shown.output.utf8).root["command"]?.string
                #expect(command == "tributary report \(name) --app shop \(report.dropFirst().joined(separator: " "))")
                let words = try #require(command).split(separator: " ").dropFirst().map(String.init)
                #expect(try await tributary(words + ["--format", "csv"]).output == asked.output)
            }
            let list = try await daemon.send("GET", "/v1/questions", key: read)
            let document = try JSONDocument(reading: list.body.utf8)
            let questions = try #require(document.root["questions"]).elements
            #expect(questions.compactMap { $0["csv"]?.string } == ["/v1/questions/mine.csv"])
            #expect(try await tributary(["question", "list"]).output.hasPrefix("mine"))

            let kept = try await tributary(["question", "delete", "mine"])
            #expect(kept.status != 0)
            let deleted = try await tributary(["question", "delete", "mine", "--yes"])
            #expect(deleted.status == 0, "\(deleted.errors)")
            let gone = try await daemon.send("GET", "/v1/questions/mine.csv", key: read)
            #expect(gone.status == 404 && gone.body.contains("unknown_question"))
            #expect(deleted.errors.contains("tributary question restore mine"))
            #expect(try await tributary(["question", "list"]).output.isEmpty)
            #expect(try await tributary(["question", "list", "--deleted"]).output.hasPrefix("mine  number "))
            let restored = try await tributary(["question", "restore", "mine"])
            #expect(restored.status == 0 && restored.output.contains("funnel"), "\(restored.errors)")
            #expect(try await csv().contains("\r\n"))
            let none = try await tributary(["question", "restore", "mine"])
            #expect(none.status == 64 && none.errors.contains("no deleted question 'mine'"))
        }
    }

    /// Who knows only the page's address gets the answer of the API, or what the key lacks.
    @Test func answerProgramsAtTheAddressOfTheirPage() async throws {
        try await withService { daemon, read, database in
            let saved = try await Programs.tributary(
                ["question", "save", "mine", "--", "report", "goals"] + Self.range,
                database: database
            )
            #expect(saved.status == 0, "\(saved.errors)")
            let write = try await Programs.tributary(
                ["app", "add-key", "shop", "--scope", "write", "--format", "json"],
                database: database
            )
            let writeKey = try #require(try JSONDocument(reading: write.output.utf8).root["write_key"]?.string)
            let wanted = try await daemon.send("GET", "/v1/questions/mine.csv", key: read)
            for path in ["/questions/mine", "/questions/question?name=mine", "/questions/mine.csv"] {
                #expect(try await daemon.send("GET", path).status == 401, "\(path)")
                #expect(try await daemon.send("GET", path, key: writeKey).status == 403, "\(path)")
                let answer = try await daemon.send("GET", path, key: read)
                #expect(answer.status == 200 && answer.body == wanted.body, "\(path)")
            }
            let json = try await daemon.send(
                "GET",
                "/questions/mine",
                key: read,
                headers: [("accept", "application/json")]
            )
            #expect(json.status == 200 && json.body.hasPrefix("{"))
            #expect(try await daemon.send("GET", "/questions/none", key: read).status == 404)
        }
    }

    @Test func standOnBoards() async throws {
        try await withService { daemon, read, database in
            func tributary(_ arguments: [String]) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: database)
            }
            for report in ["goals", "logins"] {
                let saved = try await tributary(["question", "save", "my-\(report)", "--", "report", report])
                #expect(saved.status == 0, "\(saved.errors)")
            }
            let unknown = try await tributary(["board", "save", "monday", "my-login"])
            #expect(unknown.status == 64 && unknown.errors.contains("did you mean 'my-logins'?"))
            let saved = try await tributary(["board", "save", "monday", "my-logins", "my-goals"] + Self.range)
            #expect(saved.status == 0, "\(saved.errors)")
            #expect(try await tributary(["board", "list"]).output.hasPrefix("monday  my-logins, my-goals"))
            #expect(try await !tributary(["question", "list"]).output.contains("monday"))
            let shown = try await tributary(["board", "show", "monday"])
            #expect(shown.status == 0 && shown.output.hasPrefix("my-logins\nlogins · shop · 2026-11-01 00:00"))
            #expect(shown.output.contains("\nmy-goals\ngoals · shop") && shown.output.contains("premium"))
            let json = try await tributary(["board", "show", "monday", "--format", "json"])
            let parts = try #require(JSONDocument(reading: json.output.utf8).root["questions"]).elements
            #expect(parts.compactMap { $0["report"]?["report"]?.string } == ["logins", "goals"])
            // It has no answer of its own, and is no question of the API.
            let run = try await tributary(["question", "run", "monday"])
            #expect(run.status == 64 && run.errors.contains("'monday' is a board"))
            #expect(try await daemon.send("GET", "/v1/questions/monday.csv", key: read).status == 404)
            #expect(try await !daemon.send("GET", "/v1/questions", key: read).body.contains("monday"))
            #expect(try await tributary(["board", "delete", "monday", "--yes"]).status == 0)
            #expect(try await tributary(["board", "list"]).output.isEmpty)
            #expect(try await tributary(["question", "restore", "monday"]).output.contains("board save monday"))
        }
    }

    @Test func areRefusedWithNothingSaved() async throws {
        try await withService { _, _, database in
            let refused: [([String], String)] = [
                (["a", "--", "report", "funnel", "--by", "chanel"], "did you mean 'channel'?"),
                (["a", "--", "report", "funel"], "did you mean 'funnel'?"),
                (["a", "--", "report", "channels", "--format", "csv"], "format"),
                (["a", "--", "report", "channels", "--output", "x.csv"], "output"),
                (["a", "--", "report", "channels", "--nothing"], "--nothing"),
                (["A", "--", "report", "channels"], "a name has"),
                (["a"], "question save a -- report"), (["My report"], "question save by-ref -- report"),
                (["a", "--", "export", "events"], "after --"),
                (["a", "--app", "shop", "--", "report", "channels", "--app", "other"], "--app is given twice"),
            ]
            for (arguments, message) in refused {
                let outcome = try await Programs.tributary(["question", "save"] + arguments, database: database)
                #expect(outcome.status == 64, "\(arguments)")
                #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
            }
            let none = try await Programs.tributary(["question", "list", "--format", "json"], database: database)
            #expect(none.output == "[]\n")

            let save = ["question", "save", "a", "--", "report", "channels"]
            #expect(try await Programs.tributary(save, database: database).status == 0)
            let again = try await Programs.tributary(save, database: database)
            #expect(again.status == 64 && again.errors.contains("--replace"))
            let missing = try await Programs.tributary(["question", "run", "b"], database: database)
            #expect(missing.status == 64 && missing.errors.contains("did you mean 'a'?"))
        }
    }

    @Test func warnOfNamesThatOccurNowhere() async throws {
        try await withService { daemon, read, database in
            let told = try await Programs.tributary(
                ["report", "channels", "--goal", "premum", "--format", "csv"],
                database: database
            )
            let warning = "goal: the goal 'premum' occurs in no event of the app; did you mean 'premium'?"
            #expect(told.status == 0 && told.errors.contains("tributary: warning: --\(warning)\n"), "\(told.errors)")
            #expect(!told.output.contains("premum"))
            for format in ["csv", "json"] {
                let answer = try await daemon.send(
                    "GET",
                    "/v1/reports/channels?goal=premum&format=\(format)",
                    key: read
                )
                #expect(answer.headers.first(name: "tributary-warning") == warning)
                guard format == "json" else { continue }
                let document = try JSONDocument(reading: answer.body.utf8)
                let warnings = try #require(document.root["warnings"]).elements
                #expect(warnings.map { $0["message"]?.string } == [warning])
                #expect(warnings.flatMap { $0["nearest"]?.elements.compactMap(\.string) ?? [] } == ["premium"])
            }
            let known = try await Programs.tributary(
                ["report", "compare", "--a", "gift", "--b", "gifts", "--format", "csv"],
                database: database
            )
            #expect(known.errors.contains("--b: the ref 'gifts'") && !known.errors.contains("--a: the ref"))
        }
    }
}
