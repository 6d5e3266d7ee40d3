import InboundLinks
import JSONReading
package import Postgres
import Reporting
import Storage
import Time

/// Runs the tools on a database. It only reads.
package struct AssistantAnswers: Sendable {
    /// A model reads every row, and its window is small. The last rows, which hold the totals, are always there.
    static let rowLimit = 500
    private static let lastRows = 3

    private let pool: PostgresPool
    /// The app that is meant if a call names none; nil: the only one.
    private let defaultApp: String?

    package init(pool: PostgresPool, defaultApp: String?) {
        self.pool = pool
        self.defaultApp = defaultApp
    }

    private var apps: AppStore { AppStore(pool: pool) }

    /// Whatever fails is an answer too.
    package func answer(_ call: MCPSession.Call) async -> ToolOutcome {
        do {
            try call.arguments.check(for: call.tool)
            return ToolOutcome(json: try await json(of: call.tool, call.arguments))
        } catch {
            return ToolOutcome(ToolFailure(error))
        }
    }

    private func json(of tool: AssistantTool, _ arguments: ToolArguments) async throws -> String {
        switch tool {
        case .listApps: try await appList()
        case .listReports: AssistantCatalogue.text(of: arguments.text("report"))
        case .runReport:
            try await report(
                arguments.text("report") ?? "",
                arguments.parameters("parameters"),
                of: app(arguments)
            )
        case .listQuestions: try await questionList(of: app(arguments))
        case .runQuestion: try await question(arguments.text("question") ?? "", of: app(arguments))
        case .explainColumn:
            try AssistantCatalogue.explanation(of: arguments.text("column") ?? "", in: arguments.text("report"))
        case .inspectLink: try await inspection(arguments)
        }
    }

    private func app(_ arguments: ToolArguments) async throws -> App {
        try await apps.app(named: arguments.text("app") ?? defaultApp)
    }

    private func appList() async throws -> String {
        let apps = try await apps.list()
        var json = JSONWriter()
        json.object { json in
            json.key("apps")
            json.array { json in
                for app in apps {
                    json.object { json in
                        json.member("app", app.profile.id)
                        json.member("name", app.profile.name)
                        json.member("time_zone", app.profile.timeZone)
                        json.member("currency", app.profile.currency)
                        json.key("properties")
                        json.array { json in
                            for property in app.properties {
                                json.object { json in
                                    json.member("name", property.name)
                                    json.member("of", property.kind.rawValue)
                                }
                            }
                        }
                    }
                }
            }
        }
        return json.text
    }

    private func questionList(of app: App) async throws -> String {
        let questions = try await SavedQuestions(pool: pool).list(of: app)
        var json = JSONWriter()
        json.object { json in
            json.key("questions")
            json.array { json in
                for question in questions {
                    json.object { json in
                        json.member("question", question.name)
                        json.member("report", question.report)
                        // It may have the id of a person.
                        if !SavedQuestion.listsPeople(question.parameters) {
                            json.member("command", question.command(in: app))
                        }
                    }
                }
            }
        }
        return json.text
    }

    private func report(
        _ name: String,
        _ parameters: [(name: String, value: String)],
        of app: App
    ) async throws -> String {
        try AssistantParameters.check(parameters, of: name)
        return try await answer(
            ReportRequest.parse(name: name, parameters: parameters, origin: .http, app: app, now: .now)
        )
    }

    private func question(_ name: String, of app: App) async throws -> String {
        let question = try await SavedQuestions(pool: pool).required(name, of: app)
        if SavedQuestion.listsPeople(question.parameters) {
            throw ToolFailure("the question '\(name)': \(AssistantParameters.peopleReason)")
        }
        return try await answer(question.request(origin: .http, app: app, now: .now))
    }

    private func answer(_ request: ReportRequest) async throws -> String {
        let history = await apps.historyNotice(of: request.app, asking: request.properties)
        var result = try await ReportRunner.run(request, on: pool, connections: pool.size).withoutPeople
        result.freshness = try await pool.withConnection {
            try Freshness.read(of: request.app, zone: request.zone, now: request.now, on: $0)
        }
        var notices = [history, result.standby?.notice].compactMap(\.self)
        let rows = result.table.rows
        if rows.count > Self.rowLimit {
            result.table.rows = Array(rows.prefix(Self.rowLimit - Self.lastRows) + rows.suffix(Self.lastRows))
            notices.append(
                "\(rows.count - Self.rowLimit) of \(rows.count) rows are left out, before the last \(Self.lastRows): "
                    + "ask for fewer with limit, where or a shorter range"
            )
        }
        var json = JSONWriter()
        json.object { json in
            json.key("definition")
            AssistantCatalogue.writeDefinition(of: result, to: &json)
            json.member("notices", notices)
            json.key("answer")
            json.raw(result.text(as: .json))
        }
        return json.text
    }

    private func inspection(_ arguments: ToolArguments) async throws -> String {
        let url = arguments.text("url") ?? ""
        if let dialog = arguments.text("post").flatMap(FeedPostReading.Dialog.init(rawValue:)) {
            return InspectionValue.object(FeedPostReader.read(url, dialog: dialog).inspection)
        }
        var rules = ReadingRules.none
        if let id = arguments.text("app") ?? defaultApp {
            rules = try await apps.rules(of: apps.app(id: id), decrypting: false)
        }
        return InspectionValue.object(LinkReader.read(url, rules: rules).inspection)
    }
}
