import Answering
import Dashboard
import InboundLinks
import Ingest
import Postgres
import Reporting
import Storage
import Time

/// Keeps the dashboard's sessions, and makes its reports as the command line and HTTP do.
struct DashboardReports: DashboardSource {
    /// On the database that takes writes: for sessions, questions and links.
    let pool: PostgresPool
    let reader: ReportReader
    /// The setting `webhook.allow.private`.
    let allowsPrivate: Bool
    let failures: FailureTable

    func notices(of app: App) async -> [String] { await reader.notices(of: app) }

    func freshness(of app: App) async -> (receivedAt: Timestamp?, words: String)? {
        guard let known = try? await reader.freshness(of: app) else { return nil }
        return (known.freshness.receivedAt, known.text)
    }

    func newestEvents(of app: App) async throws(DashboardFailure) -> [NewestEvent] {
        try await failures.onPage { try await reader.asking(app) { try await NewestEvent.list(of: app, on: $0) } }
    }

    func results(
        of reports: [(name: String, parameters: [(name: String, value: String)])],
        in app: App
    ) async throws(DashboardFailure) -> [ReportResult] {
        try await asking(reports, of: app) { try await reader.run($0, waits: true) }
    }

    func people(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportTable {
        try await asking([(name, parameters)], of: app) { requests in
            try await reader.people(requests[0], waits: true) { try await PeopleRunner.table(requests[0], on: $0) }
        }
    }

    func peopleText(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> LongText {
        try await asking([(name, parameters)], of: app) { requests in
            try await reader.people(requests[0], waits: true) { pool in
                LongText(try await PeopleRunner.run(requests[0], as: .csv, on: pool, to: ListText()).sink)
            }
        }
    }

    func person(_ key: PersonKey, of app: App) async throws(DashboardFailure) -> PersonHistory {
        try await failures.onPage {
            try await reader.asking(app) { try await PersonHistory.read(key, in: app, on: $0) }
        }
    }

    private func asking<Answer>(
        _ reports: [(name: String, parameters: [(name: String, value: String)])],
        of app: App,
        _ answer: ([ReportRequest]) async throws -> Answer
    ) async throws(DashboardFailure) -> Answer {
        let now = Timestamp.now
        do {
            let requests = try reports.map {
                try ReportRequest.parse(
                    name: $0.name,
                    parameters: $0.parameters,
                    origin: .http,
                    app: app,
                    now: now
                )
            }
            return try await answer(requests)
        } catch let error as PostgresError where error.isLockTimeout {
            throw .busy(holder: (try? await LockHolder.find(on: reader.pool)) ?? nil)
        } catch {
            throw failures.page(error)
        }
    }

    func hasEvents(_ app: App) async throws(DashboardFailure) -> Bool {
        try await failures.onPage { try await reader.asking(app) { try await AppStore(pool: $0).hasEvents(app) } }
    }

    func milestones(of app: App) async throws(DashboardFailure) -> Set<AppMilestone> {
        try await failures.onPage { try await reader.asking(app) { try await AppStore(pool: $0).milestones(of: app) } }
    }

    func questions(of app: App) async throws(DashboardFailure) -> [SavedQuestion] {
        try await failures.onPage { try await SavedQuestions(pool: pool).all(of: app) }
    }

    func saveQuestion(
        _ name: String,
        report: String,
        parameters: [(name: String, value: String)],
        replacing: Bool,
        of app: App
    ) async throws(DashboardFailure) -> SavedQuestion {
        try await failures.onPage {
            try await SavedQuestions(pool: pool).save(
                name,
                report: report,
                parameters: parameters,
                of: app,
                replacing: replacing
            )
        }
    }

    func deleteQuestion(_ name: String, of app: App) async throws(DashboardFailure) {
        try await failures.onPage { try await SavedQuestions(pool: pool).delete(name, of: app) }
    }

    func deletedQuestions(of app: App) async throws(DashboardFailure) -> [SavedQuestion] {
        try await failures.onPage { try await SavedQuestions(pool: pool).deleted(of: app) }
    }

    func restoreQuestion(_ name: String, number: Int64, of app: App) async throws(DashboardFailure) -> SavedQuestion {
        try await failures.onPage { try await SavedQuestions(pool: pool).restore(name, number: number, of: app) }
    }

    func schedules(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionSchedule] {
        try await failures.onPage { try await ScheduledQuestions(pool: pool).list(of: app, question: question) }
    }

    func runs(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionRun] {
        try await failures.onPage {
            try await ScheduledQuestions(pool: pool).runs(of: app, question: question, atMost: 20)
        }
    }

    func schedule(_ draft: ScheduledQuestions.Draft, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage {
            _ = try SendingTarget(draft.target, allowsPrivate: allowsPrivate)
            return try await ScheduledQuestions(pool: pool).save(draft, of: app)
        }
    }

    func deleteSchedule(_ number: Int64, of app: App) async throws(DashboardFailure) {
        try await failures.onPage { try await ScheduledQuestions(pool: pool).delete(number, of: app) }
    }

    func notes(of app: App, days: (first: String, last: String)?) async throws(DashboardFailure) -> [Note] {
        try await failures.onPage {
            try await Notes(pool: pool).list(
                of: app,
                from: days.flatMap { CivilDate($0.first) },
                to: days.flatMap { CivilDate($0.last) }.map { CivilDate(number: $0.number + 1) }
            )
        }
    }

    func changes(of app: App, before number: Int64?, limit: Int) async throws(DashboardFailure) -> [Change] {
        try await failures.onPage { try await ChangeLog(pool: pool).changes(of: app, before: number, limit: limit) }
    }

    func addNote(_ text: String, on day: String, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage { try await Notes(pool: pool).add(text, on: day, of: app) }
    }

    func deleteNote(_ number: Int64, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage { try await Notes(pool: pool).delete(number, of: app) }
    }
}
