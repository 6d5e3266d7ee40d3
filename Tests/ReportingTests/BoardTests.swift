import Postgres
import PostgresTesting
import Storage
import Testing
import Time

@testable import Reporting

@Suite("Boards")
struct BoardTests {
    private static let now = OracleEvents.time(0)

    private func withQuestions(_ body: @Sendable (SavedQuestions, App) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let app = try await AppStore(pool: database.pool).made("one", currency: "USD")
            let questions = SavedQuestions(pool: database.pool)
            let saved: [(String, String, [(name: String, value: String)])] = [
                ("by-ref", "refs", [("from", "7days"), ("tz", "Asia/Tokyo"), ("goal", "x")]), ("logins", "logins", []),
                ("who", "channels", [("people", "touches")]),
            ]
            for (name, report, parameters) in saved {
                _ = try await questions.save(name, report: report, parameters: parameters, of: app, replacing: false)
            }
            try await body(questions, app)
        }
    }

    private static func board(
        _ names: [String],
        _ range: [(name: String, value: String)] = []
    ) -> [(name: String, value: String)] { names.map { (SavedQuestion.memberField, $0) } + range }

    @Test func haveTheirQuestionsInOrderWithOneRange() async throws {
        try await withQuestions { questions, app in
            let range = [(name: "from", value: "last-week"), (name: "to", value: "monday")]
            let board = try await questions.save(
                "monday",
                report: SavedQuestion.boardReport,
                parameters: Self.board(["logins", "by-ref"], range),
                of: app,
                replacing: false,
                now: Self.now
            )
            #expect(board.isBoard && board.members == ["logins", "by-ref"])
            #expect(
                board.command(in: app)
                    == "tributary board save monday logins by-ref --app \(app.profile.id) --from last-week --to monday"
            )
            let parts = board.parts(among: try await questions.list(of: app))
            #expect(parts.map(\.name) == ["logins", "by-ref"])
            #expect(
                parts.map { $0.question?.parameters.map { "\($0.name)=\($0.value)" } } == [
                    ["from=last-week", "to=monday"], ["goal=x", "from=last-week", "to=monday"],
                ]
            )
            // A board is no question, but has a name of its own among them.
            #expect(try await questions.list(of: app).map(\.name) == ["by-ref", "logins", "who"])
            #expect(try await questions.all(of: app).map(\.name) == ["by-ref", "logins", "monday", "who"])
            #expect(throws: ReportError.self) { try board.request(origin: .http, app: app, now: Self.now) }
        }
    }

    @Test func saySoIfAQuestionWasDeletedOrIsRefused() async throws {
        try await withQuestions { questions, app in
            let board = try await questions.save(
                "monday",
                report: SavedQuestion.boardReport,
                parameters: Self.board(["logins", "by-ref"]),
                of: app,
                replacing: false,
                now: Self.now
            )
            try await questions.delete("by-ref", of: app)
            let refusal = ReportError.usage(message: "too many rows", field: "limit")
            let answers = try await AnsweredPart.answers(
                to: board.parts(among: try await questions.list(of: app)),
                asking: { [try $0.request(origin: .http, app: app, now: Self.now)] },
                run: { _ in throw refusal }
            )
            #expect(answers.map(\.failure) == ["too many rows", "the question was deleted"])
            #expect(answers.json.contains(#"{"question": "by-ref", "problem": "the question was deleted"}"#))
            await #expect(throws: refusal) {
                _ = try await AnsweredPart.answers(
                    to: try await questions.required("logins", of: app).parts(among: []),
                    asking: { [try $0.request(origin: .http, app: app, now: Self.now)] },
                    run: { _ in throw refusal }
                )
            }
        }
    }

    @Test func areAnsweredWithoutTheQuestionsThatAreSlow() async throws {
        try await withQuestions { questions, app in
            let timeout = PostgresError(.server, "canceling statement due to statement timeout", sqlState: "57014")
            func answers(
                _ name: String,
                within budget: Duration? = nil
            ) async throws -> [AnsweredPart] {
                try await AnsweredPart.answers(
                    to: try await questions.required(name, of: app).parts(among: try await questions.list(of: app)),
                    within: budget,
                    asking: { [try $0.request(origin: .http, app: app, now: Self.now)] },
                    run: { requests in
                        if requests.contains(where: { $0.name == "refs" }) { throw timeout }
                        return requests.map {
                            ReportResult(request: $0, table: ReportTable(columns: $0.columns, rows: []))
                        }
                    }
                )
            }
            _ = try await questions.save(
                "monday",
                report: SavedQuestion.boardReport,
                parameters: Self.board(["by-ref", "logins"]),
                of: app,
                replacing: false,
                now: Self.now
            )
            let slow = try await answers("monday")
            #expect(slow.map(\.failure) == ["took too long; ask for fewer days", nil])
            #expect(slow.map { $0.result == nil } == [true, false])
            let late = try await answers("monday", within: .zero)
            #expect(late.map(\.failure) == ["not answered in time", "not answered in time"])
            // A question is asked again later.
            #expect(try await answers("logins", within: .zero).allSatisfy { $0.result != nil })
            await #expect(throws: PostgresError.self) { _ = try await answers("by-ref") }
        }
    }

    @Test(
        arguments: [
            ([], [], "1 to 12"), (Array(repeating: "logins", count: 13), [], "1 to 12"),
            (["logins", "logins"], [], "given twice"), (["who"], [], "lists people"),
            (["other"], [], "cannot stand on a board"), (["logins"], [("from", "7d")], "is no day"),
            (["logins"], [("by", "ref")], "no such parameter"),
            (["logins"], [("from", "today"), ("to", "today")], "empty"),
        ] as [([String], [(name: String, value: String)], String)]
    )
    func areRefused(names: [String], range: [(name: String, value: String)], reason: String) async throws {
        try await withQuestions { questions, app in
            func save(_ name: String, _ parameters: [(name: String, value: String)]) async throws {
                _ = try await questions.save(
                    name,
                    report: SavedQuestion.boardReport,
                    parameters: parameters,
                    of: app,
                    replacing: true,
                    now: Self.now
                )
            }
            try await save("other", Self.board(["logins"]))
            let error = await #expect(throws: ReportError.self) { try await save("monday", Self.board(names, range)) }
            #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
            // The command line has no such option.
            #expect(error?.description(for: .commandLine).contains("--question") == false)
            await #expect(throws: QuestionError.unknown("by_ref", closest: "by-ref")) {
                try await save("monday", Self.board(["by_ref"]))
            }
        }
    }

    @Test func takeNoNameOfAQuestion() async throws {
        try await withQuestions { questions, app in
            let error = await #expect(throws: ReportError.self) {
                _ = try await questions.save(
                    "logins",
                    report: SavedQuestion.boardReport,
                    parameters: Self.board(["by-ref"]),
                    of: app,
                    replacing: true,
                    now: Self.now
                )
            }
            #expect(error.map { "\($0)" } == "'logins' is a question; choose another name")
            let kept = try await questions.required("logins", of: app)
            #expect(kept.report == "logins")
        }
    }
}
