import Answering
import InboundLinks
import Ingest
import Postgres
import Reporting
import Storage
import Time

/// Makes the dashboard's reports as the command line and HTTP do.
struct DashboardReports: DashboardSource {
    let reader: ReportReader
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
}
