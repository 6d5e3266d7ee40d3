import Assistants
import JSONReading
import Postgres
import PostgresTesting
import Reporting
import Storage
import Testing

@Suite("Answers to assistants")
struct AssistantAnswersTests {
    private static func withApp(_ body: @Sendable (PostgresPool, AssistantAnswers) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(
            migrate: { pool in
                _ = try await pool.withConnection { try Migrator().migrate($0) }
                _ = try await AppStore(pool: pool).create(AppProfile(id: "shop", name: "Shop"))
                let app = try await AppStore(pool: pool).app(id: "shop")
                for (name, parameters) in [
                    ("by-ref", [("by", "ref"), ("from", "2026-01-01"), ("to", "2026-02-01")]),
                    ("who", [("people", "touches")]),
                    ("posters", [("by", "poster")]),
                    ("from-ann", [("below", "ann-7")]),
                ] {
                    _ = try await SavedQuestions(pool: pool).save(
                        name,
                        report: name == "from-ann" ? "generations" : "breakdown",
                        parameters: name == "who" ? parameters + [("by", "ref")] : parameters,
                        of: app,
                        replacing: false
                    )
                }
            }
        ) { database in
            try await body(database.pool, AssistantAnswers(pool: database.pool, defaultApp: nil))
        }
    }

    private static func outcome(
        _ tool: String,
        _ arguments: String,
        of answers: AssistantAnswers
    ) async throws -> ToolOutcome {
        var session = MCPSession(programVersion: "1")
        let message =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
        guard case .run(let call) = session.received(Array(message.utf8)) else { throw Unexpected() }
        return await answers.answer(call)
    }

    private struct Unexpected: Error {}

    /// An answer has the meaning of each column that it shows, and nothing else.
    @Test func explainEveryColumnOfEveryReport() async throws {
        try await Self.withApp { _, answers in
            let reports = ReportCatalogue.descriptions.filter { !$0.parameters.contains(where: \.isRequired) }
            #expect(reports.count > 10)
            for report in reports {
                let outcome = try await Self.outcome("run_report", #"{"report":"\#(report.name)"}"#, of: answers)
                #expect(!outcome.isError, "\(report.name): \(outcome.text)")
                guard !outcome.isError else { continue }
                let root = try JSONDocument(reading: outcome.text.utf8).root
                let shown = root["answer"]?["columns"]?.elements.compactMap(\.string)
                #expect(root["definition"]?["columns"]?.members.map(\.key) == shown)
                #expect(root["definition"]?["summary"]?.string == report.summary)
                #expect(root["definition"]?["caution"]?.string?.isEmpty == false)
                #expect(root["answer"]?["warnings"]?.kind == .array && root["answer"]?["freshness"] != nil)
            }
        }
    }

    @Test func runSavedQuestions() async throws {
        try await Self.withApp { _, answers in
            let list = try await Self.outcome("list_questions", "{}", of: answers)
            #expect(list.text.contains("by-ref") && list.text.contains("from-ann") && !list.text.contains("ann-7"))
            let run = try await Self.outcome("run_question", #"{"question":"by-ref"}"#, of: answers)
            let answer = try JSONDocument(reading: run.text.utf8).root["answer"]
            #expect(answer?["from"]?.string == "2026-01-01T00:00:00Z" && answer?["report"]?.string == "breakdown")
        }
    }

    @Test func keepTheTotalsOfALongReport() async throws {
        try await Self.withApp { _, answers in
            let parameters = #"{"by":"day","from":"2024-01-01","to":"2026-01-01"}"#
            let outcome = try await Self.outcome(
                "run_report",
                #"{"report":"channels","parameters":\#(parameters)}"#,
                of: answers
            )
            let root = try JSONDocument(reading: outcome.text.utf8).root
            #expect(root["answer"]?["rows"]?.count == 500)
            #expect(root["answer"]?["rows"].map { Array($0.elements) }?.last?["channel"]?.string == "total")
            #expect(
                root["notices"]?.elements.compactMap(\.string).contains { $0.contains("rows are left out") } == true
            )
        }
    }

    @Test func warnAsReportsDo() async throws {
        try await Self.withApp { _, answers in
            let arguments =
                #"{"report":"channels","parameters":{"where":["ref=nothing","platform=ios"],"goal":"gift","#
                + #""with":["conversion:moon","touch"]}}"#
            let outcome = try await Self.outcome("run_report", arguments, of: answers)
            let warnings = try JSONDocument(reading: outcome.text.utf8).root["answer"]?["warnings"]?.elements
            #expect(warnings?.compactMap { $0["value"]?.string }.sorted() == ["gift", "moon", "nothing"])
        }
    }

    /// Every refusal says what is wrong; where a name is wrong, also the right one.
    @Test(arguments: [
        ("run_report", #"{}"#, "report is required"),
        ("run_report", #"{"report":"chanels"}"#, "did you mean 'channels'"),
        ("run_report", #"{"report":["channels"]}"#, "must be a text"),
        ("run_report", #"{"report":"channels","parameter":{}}"#, "did you mean 'parameters'"),
        ("run_report", #"{"report":"channels","parameters":[]}"#, "must be an object"),
        ("run_report", #"{"report":"channels","parameters":{"form":"7d"}}"#, "did you mean 'from'"),
        ("run_report", #"{"report":"channels","parameters":{"from":{"a":1}}}"#, "from must be a text"),
        ("run_report", #"{"report":"channels","parameters":{"from":"yesterdy"}}"#, "from"),
        ("run_report", #"{"report":"channels","parameters":{"from":"7d","from":"8d"}}"#, "is given twice"),
        ("run_report", #"{"report":"channels","parameters":{"output":"/etc/passwd"}}"#, "no parameter 'output'"),
        ("run_report", #"{"report":"channels","parameters":{"sql":true}}"#, "no parameter 'sql'"),
        ("run_report", #"{"report":"channels","parameters":{"format":"csv"}}"#, "answers are always JSON"),
        ("run_report", #"{"report":"channels","parameters":{"people":"touches"}}"#, "not given to assistants"),
        ("run_report", #"{"report":"breakdown","parameters":{"by":["ref","poster"]}}"#, "not given to assistants"),
        ("run_report", #"{"report":"viral","parameters":{"where":"poster=u1"}}"#, "not given to assistants"),
        ("run_report", #"{"report":"generations","parameters":{"below":"u1"}}"#, "not given to assistants"),
        ("run_question", #"{"question":"who"}"#, "not given to assistants"),
        ("run_question", #"{"question":"posters"}"#, "not given to assistants"),
        ("run_question", #"{"question":"from-ann"}"#, "not given to assistants"),
        ("run_question", #"{"question":"by-reff"}"#, "did you mean 'by-ref'"),
        ("run_question", #"{"question":"'; drop table app; --"}"#, "there is no question"),
        ("run_report", #"{"report":"channels","app":"shopp"}"#, "did you mean 'shop'"),
        ("run_report", #"{"report":"channels","app":""}"#, "there is no app ''"),
        ("explain_column", #"{"column":"toches"}"#, "did you mean 'touches'"),
        ("explain_column", #"{"column":"touches","report":"logins"}"#, "no column of logins"),
        ("inspect_link", #"{"url":7}"#, "must be a text"),
        ("list_apps", #"{"app":"shop"}"#, "list_apps has no argument 'app'"),
        ("list_apps", "[]", "must be an object"),
    ])
    func refuseInWords(tool: String, arguments: String, reason: String) async throws {
        try await Self.withApp { _, answers in
            let outcome = try await Self.outcome(tool, arguments, of: answers)
            #expect(outcome.isError && outcome.text.contains(reason), "\(outcome.text)")
        }
    }

    @Test func showNoSecret() async throws {
        try await Self.withApp { _, answers in
            let link = "fb123://authorize#access_token=EAASECRET&target_url=http%3A%2F%2Fexample.com%2F"
            let read = try await Self.outcome("inspect_link", #"{"url":"\#(link)"}"#, of: answers)
            #expect(!read.isError && read.text.contains("REDACTED") && !read.text.contains("EAASECRET"))
            let refused = try await Self.outcome(
                "run_question",
                #"{"question":"?access_token=EAASECRET"}"#,
                of: answers
            )
            #expect(refused.isError && !refused.text.contains("EAASECRET"))
        }
    }

    /// As a viewer, an assistant sees no ids of people, and is offered nothing that would show them.
    @Test func nameNobody() async throws {
        try await Self.withApp { _, answers in
            let posts = #"{"report":"posts","parameters":{"each":true}}"#
            let outcome = try await Self.outcome("run_report", posts, of: answers)
            let root = try JSONDocument(reading: outcome.text.utf8).root
            let shown = root["answer"]?["columns"]?.elements.compactMap(\.string) ?? []
            #expect(shown.contains("post") && !shown.contains("poster"))
            #expect(root["definition"]?["columns"]?.members.map(\.key) == shown)
            for report in ["breakdown", "viral", "posts", "generations"] {
                let details = try await Self.outcome("list_reports", #"{"report":"\#(report)"}"#, of: answers)
                let told = try JSONDocument(reading: details.text.utf8).root
                let columns = told["columns"]?.members.map(\.key) ?? []
                #expect(!columns.isEmpty && !columns.contains("poster"))
                let parameters = told["parameters"]?.members.map { "\($0.key): \($0.value.string ?? "")" } ?? []
                #expect(!parameters.isEmpty && !parameters.contains { $0.hasPrefix("below:") })
                #expect(!parameters.contains { $0.hasPrefix("by:") && $0.contains("poster") })
                #expect(told["examples"]?.elements.contains { $0.string?.contains("poster") == true } == false)
            }
        }
    }

    @Test func explainAColumnWhereverItIs() async throws {
        try await Self.withApp { _, answers in
            let outcome = try await Self.outcome("explain_column", #"{"column":"post_rate"}"#, of: answers)
            let meanings = try JSONDocument(reading: outcome.text.utf8).root["meanings"]
            #expect(meanings?.elements.compactMap { $0["output"]?.string }.contains("report refs") == true)
        }
    }
}
