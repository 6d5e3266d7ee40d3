import Postgres
import RandomTesting
import PostgresTesting
import Storage
import Testing
import Time
@testable import Reporting

@Suite("Saved questions")
struct SavedQuestionsTests {
    private static let now = OracleEvents.time(0)

    private func withApp(_ body: @Sendable (SavedQuestions, App, App) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let apps = AppStore(pool: database.pool)
            try await body(
                SavedQuestions(pool: database.pool),
                try await apps.made("one", currency: "USD", properties: RandomStream.declared),
                try await apps.made("other", currency: "USD")
            )
        }
    }

    /// Every parameter of random questions comes back as it was saved, and means the same.
    @Test func comeBackAsTheyWereSaved() async throws {
        try await withApp { questions, app, _ in
            for seed in TestSeeds.seeds(2) {
                let stream = RandomStream.make(seed: seed, hasTwins: seed % 2 == 0)
                for (position, question) in try RandomQuestions.some(seed: seed, stream: stream).enumerated() {
                    let name = "q-\(position)"
                    _ = try await questions.save(
                        name,
                        report: question.name,
                        parameters: question.parameters,
                        of: app,
                        replacing: true,
                        now: stream.now
                    )
                    let found = try await questions.required(name, of: app)
                    #expect(found.report == question.name)
                    #expect(found.parameters.map(\.name) == question.parameters.map(\.name))
                    #expect(
                        found.parameters.map { Array($0.value.utf8) }
                            == question.parameters.map { Array($0.value.utf8) }
                    )
                    let (run, asked) = (
                        try found.request(origin: .http, app: app, now: stream.now),
                        try ReportRequest.parse(
                            name: question.name,
                            parameters: question.parameters,
                            origin: .http,
                            app: app,
                            now: stream.now
                        )
                    )
                    #expect(run.range == asked.range && run.zone.name == asked.zone.name && run.query == asked.query)
                    #expect(run.parameters.map(\.value) == asked.parameters.map(\.value))
                    let (told, expected) = (
                        try Asking.rows(run, of: stream.events), try Asking.rows(asked, of: stream.events)
                    )
                    #expect(told == expected, "seed \(seed): \(question.name) \(question.parameters)")
                }
            }
        }
    }

    @Test func readTheirRangeAtEachRun() async throws {
        try await withApp { questions, app, _ in
            let question = try await questions.save(
                "week",
                report: "channels",
                parameters: [("from", "7d")],
                of: app,
                replacing: false,
                now: Self.now
            )
            for day in [0, 30] as [Double] {
                let now = OracleEvents.time(day * OracleEvents.day)
                let range = try question.request(origin: .http, app: app, now: now).range
                #expect(range == ReportRange(from: now.advanced(by: .days(-7)), to: now))
            }
        }
    }

    @Test(arguments: ["access_token=T", "EAABsbCS1iHgBAKq0123456789"])
    func holdNoSecrets(secret: String) async throws {
        try await withApp { questions, app, _ in
            for (name, value) in [("goal", secret), ("where", "goal=\(secret)")] {
                let error = await #expect(throws: ReportError.self) {
                    let parameters = [(name: name, value: value)]
                    _ = try await questions.save("a", report: "refs", parameters: parameters, of: app, replacing: true)
                }
                #expect(error.map { "\($0)" }?.contains("secret") == true)
                #expect(error.map { "\($0)" }?.contains(secret) == false)
            }
            let kept = try await questions.list(of: app)
            #expect(kept.isEmpty)
        }
    }

    @Test func belongToAnApp() async throws {
        try await withApp { questions, app, other in
            for (owner, report) in [(app, "channels"), (other, "refs")] {
                let saved = try await questions.save("b", report: report, parameters: [], of: owner, replacing: false)
                #expect(saved.report == report && saved.createdAt == saved.updatedAt)
            }
            _ = try await questions.save("a", report: "goals", parameters: [], of: app, replacing: false)
            #expect(try await questions.list(of: app).map(\.name) == ["a", "b"])
            #expect(try await questions.list(of: other).map(\.report) == ["refs"])
            try await questions.delete("b", of: other)
            #expect(try await questions.list(of: other).isEmpty)
            #expect(try await questions.question(named: "b", of: app)?.report == "channels")
        }
    }

    @Test func areRestoredUnderTheirNameUnlessItIsTaken() async throws {
        try await withApp { questions, app, other in
            for report in ["channels", "refs"] {
                _ = try await questions.save("a", report: report, parameters: [], of: app, replacing: false)
                try await questions.delete("a", of: app)
            }
            #expect(try await questions.list(of: app).isEmpty)
            #expect(try await questions.deleted(of: other).isEmpty)
            let deleted = try await questions.deleted(of: app)
            #expect(deleted.map(\.report) == ["refs", "channels"])
            await #expect(throws: QuestionError.notDeleted("b", closest: "a")) {
                _ = try await questions.restore("b", of: app)
            }
            await #expect(throws: QuestionError.notDeleted("a", closest: nil)) {
                _ = try await questions.restore("a", of: other)
            }
            // The name is free for another question, which is then in the way.
            _ = try await questions.save("a", report: "goals", parameters: [], of: app, replacing: false)
            await #expect(throws: QuestionError.taken("a")) { _ = try await questions.restore("a", of: app) }
            try await questions.delete("a", of: app)
            let first = try #require(deleted.last?.deletion?.number)
            let restored = try await questions.restore("a", number: first, of: app)
            #expect(restored.report == "channels" && restored.deletion == nil)
            #expect(try await questions.list(of: app).map(\.report) == ["channels"])
            #expect(try await questions.deleted(of: app).map(\.report) == ["goals", "refs"])
        }
    }

    @Test func areReplacedOnlyIfThatIsWanted() async throws {
        try await withApp { questions, app, _ in
            let first = try await questions.save("a", report: "goals", parameters: [], of: app, replacing: true)
            await #expect(throws: QuestionError.exists("a")) {
                _ = try await questions.save("a", report: "refs", parameters: [], of: app, replacing: false)
            }
            #expect(try await questions.required("a", of: app).report == "goals")
            let second = try await questions.save("a", report: "refs", parameters: [], of: app, replacing: true)
            #expect(second.report == "refs" && second.createdAt == first.createdAt)
            #expect(second.updatedAt > first.updatedAt)
        }
    }

    @Test(
        arguments: [
            ("Upper", "channels", [:], "name"), ("", "channels", [:], "name"), ("a.csv", "channels", [:], "name"),
            ("-a", "channels", [:], "name"), (String(repeating: "a", count: 65), "channels", [:], "name"),
            ("a", "chanels", [:], "report"), ("a", "funnel", ["by": "chanel"], "by"),
            ("a", "channels", ["from": "tomorrow"], "from"), ("a", "channels", ["format": "csv"], "format"),
            ("a", "channels", ["output": "x"], "output"), ("a", "channels", ["sql": "true"], "sql"),
        ] as [(String, String, [String: String], String)]
    )
    func areRefusedWithTheFieldAtFault(
        name: String,
        report: String,
        parameters: [String: String],
        field: String
    ) async throws {
        try await withApp { questions, app, _ in
            do {
                let given = parameters.map { (name: $0.key, value: $0.value) }
                _ = try await questions.save(name, report: report, parameters: given, of: app, replacing: true)
                Issue.record("was saved")
            } catch ReportError.usage(_, let told, _) {
                #expect(told == field)
            }
            #expect(try await questions.list(of: app).isEmpty)
        }
    }

    @Test func suggestANameThatWasMeant() async throws {
        try await withApp { questions, app, _ in
            _ = try await questions.save("by-ref", report: "refs", parameters: [], of: app, replacing: false)
            for call in [
                { try await questions.delete("by_ref", of: app) },
                { _ = try await questions.required("by_ref", of: app) },
            ] as [@Sendable () async throws -> Void] {
                await #expect(throws: QuestionError.unknown("by_ref", closest: "by-ref")) { try await call() }
            }
        }
    }

    @Test func areWrittenAsACommand() async throws {
        try await withApp { questions, app, _ in
            let question = try await questions.save(
                "a",
                report: "funnel",
                parameters: [
                    ("steps", "touch,install|authentication"), ("compare-previous", "true"),
                    ("exclude", "conversion:it's"),
                ],
                of: app,
                replacing: false
            )
            let command =
                #"tributary report funnel --app \#(app.profile.id) --steps 'touch,install|authentication' --compare-previous "#
                + #"--exclude 'conversion:it'\''s'"#
            #expect(question.command(in: app) == command)
        }
    }
}
