import Addresses
import Answering
import HTTPTypes
import HummingbirdCore
import Ingest
import Logging
import NIOCore
import Postgres
import PostgresTesting
import Redirects
import Synchronization
import Testing
import Time

@testable import Dashboard
@testable import Reporting
@testable import Storage

/// A dashboard, and a person who has signed in: with a read key at first. Reports are in memory.
///
/// What only reads shares a database of the process, in which nothing can be written. The first change makes a database
/// of this dashboard's own, which has the same apps, keys and session.
final class StoredDashboard: DashboardSource, KeyAuthenticator, ReadinessProbe {
    static let now = Timestamp(rfc3339: "2026-11-25T14:00:00Z") ?? Timestamp(microseconds: 0)
    static let writeKey = "trib_w_shop"

    private struct Contents {
        var isAway = false
        /// Whether users and sessions are away too.
        var areAccountsAway = false
        var session = DashboardDatabase.session
        var own: Task<HeldDatabase, any Error>?
        /// Answers reports; a report that it does not answer is empty. Nil: reports are unavailable.
        var tables: Tables?
        var reports: [Asked] = []
        /// Why reports are refused, by name.
        var refusals: [String: String] = [:]
        var notice: String?
        var hasEvents = true
        var firstEvent: Timestamp?
        var milestones: Set<AppMilestone> = []
        var newest: [NewestEvent] = []
        var receivedAt: Timestamp?
        /// Of every report with this name.
        var warnings: [String: [ReportWarning]] = [:]
    }

    typealias Tables = @Sendable (_ report: String, _ parameters: [(name: String, value: String)]) -> ReportTable?

    /// A report that was asked for.
    struct Asked {
        var name: String
        var parameters: [(name: String, value: String)]

        subscript(_ parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }
    }

    let app: App
    /// Of the dashboard. The database has its own.
    let clock: @Sendable () -> Timestamp
    private let contents = Mutex(Contents())
    /// With which the dashboard begins.
    private let firstLinks: [Link]
    private let seen = SeenSessions()
    private let wrongPasswords = WrongPasswords()
    /// Computes the hashes of passwords.
    let work = PasswordWork()
    /// At ``now``.
    let live = LiveIngest(clock: { StoredDashboard.now.microseconds / 1_000_000 })

    init(
        _ links: [Link] = [],
        properties: [AppProperty] = [],
        app change: (inout AppProfile) -> Void = { _ in },
        clock: @escaping @Sendable () -> Timestamp = { StoredDashboard.now }
    ) {
        self.clock = clock
        var app = DashboardDatabase.app
        change(&app.profile)
        app.properties = properties
        self.app = app
        self.firstLinks = links
    }

    func people(
        _ report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportTable {
        try await self.report(report, parameters: parameters, of: app).table
    }

    func peopleText(
        _ report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> LongText {
        let text = Array(try await self.report(report, parameters: parameters, of: app).text(as: .csv).utf8)
        return LongText(size: text.count, hash: 0) { offset, count in
            Array(text[offset..<min(text.count, offset + count)])
        }
    }

    func person(_ key: PersonKey, of app: App) async throws(DashboardFailure) -> PersonHistory { throw .unavailable }

    var reports: [Asked] { contents.withLock { $0.reports } }
    func answer(_ tables: @escaping Tables) { contents.withLock { $0.tables = tables } }
    func refuse(_ report: String, because reason: String) { contents.withLock { $0.refusals[report] = reason } }
    func notice(_ text: String) { contents.withLock { $0.notice = text } }
    func freshness(of app: App) async -> (receivedAt: Timestamp?, words: String)? {
        (contents.withLock(\.receivedAt), "last event received today")
    }
    func receive(_ events: [NewestEvent], at time: Timestamp?) {
        contents.withLock { ($0.newest, $0.receivedAt) = (events, time) }
    }
    func newestEvents(of app: App) async throws(DashboardFailure) -> [NewestEvent] {
        try check()
        return contents.withLock(\.newest)
    }

    func warn(_ warnings: [ReportWarning], of report: String) {
        contents.withLock { $0.warnings[report] = warnings }
    }
    func notices(of app: App) async -> [String] { contents.withLock { $0.notice.map { [$0] } ?? [] } }
    func reach(_ milestones: Set<AppMilestone>) { contents.withLock { $0.milestones = milestones } }
    func milestones(of app: App) async throws(DashboardFailure) -> Set<AppMilestone> {
        contents.withLock(\.milestones)
    }
    func begin(at firstEvent: Timestamp) { contents.withLock { $0.firstEvent = firstEvent } }
    func haveNoEvents() { contents.withLock { $0.hasEvents = false } }
    func hasEvents(_ app: App) async throws(DashboardFailure) -> Bool { contents.withLock(\.hasEvents) }
    func goAway() { contents.withLock { $0.isAway = true } }
    func loseAccounts() { contents.withLock { $0.areAccountsAway = true } }

    // MARK: The database

    /// Of the browser.
    var session: String {
        get { contents.withLock(\.session) }
        set { contents.withLock { $0.session = newValue } }
    }

    /// - Parameter isOwn: whether something is to be written.
    func pool(isOwn: Bool = true) async throws -> PostgresPool {
        let (app, links, standard) = (app, firstLinks, DashboardDatabase.app)
        let own = contents.withLock { contents -> Task<HeldDatabase, any Error>? in
            if contents.own == nil, isOwn || app != standard || !links.isEmpty {
                contents.own = Task { try await DashboardDatabase.make(for: app, links) }
            }
            return contents.own
        }
        return try await (own ?? DashboardDatabase.shared).value.pool
    }

    func stores(isOwn: Bool = true) async throws -> DashboardStores {
        let own = try await self.pool(isOwn: isOwn)
        let (isAway, areAccountsAway) = contents.withLock { ($0.isAway, $0.areAccountsAway) }
        let accounts = areAccountsAway ? DashboardDatabase.lost : own
        let pool = isAway || areAccountsAway ? DashboardDatabase.lost : own
        return DashboardStores(
            accounts: accounts,
            users: UserStore(pool: accounts, cost: DashboardDatabase.cost, work: work),
            pool: pool,
            reader: ReportReader(pool: pool, connections: 1, places: ReportPlaces(count: 4), isAway: { _ in false }),
            allowsPrivate: true,
            failures: FailureTable(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        )
    }

    var links: [Link] {
        get async throws { try await stores().links.list(of: app, order: .newestFirst, limit: 1_000) }
    }
    var notes: [Note] { get async throws { try await stores().notes.list(of: app) } }
    var questions: [SavedQuestion] { get async throws { try await stores().questions.all(of: app) } }
    var deletedQuestions: [SavedQuestion] { get async throws { try await stores().questions.deleted(of: app) } }
    var schedules: [QuestionSchedule] { get async throws { try await stores().schedules.list(of: app) } }
    var costs: [Cost] { get async throws { try await stores().costs.list(of: app) } }
    var rates: [RateStore.Span] { get async throws { try await stores().rates.spans(of: app) } }

    /// The newest first.
    var changes: [Change] { get async throws { try await stores().changes.changes(of: app, limit: 1_000) } }

    @discardableResult
    func saveQuestion(
        _ name: String,
        report: String,
        parameters: [(name: String, value: String)],
        replacing: Bool = false
    ) async throws -> SavedQuestion {
        let questions = try await stores().questions
        return try await questions.save(
            name,
            report: report,
            parameters: parameters,
            of: app,
            replacing: replacing,
            now: Self.now
        )
    }

    /// - Returns: the path of the shared page.
    func share(_ question: String) async throws -> String {
        SharedView.folder + (try await stores().shares.share(question, of: app, days: 1).secret)
    }

    /// Makes the log contain these changes alone.
    func log(_ changes: [Change]) async throws {
        try await pool().withConnection { [number = Int64(app.number)] connection in
            try connection.execute("delete from change_log")
            for change in changes {
                try connection.execute(
                    """
                    insert into change_log
                        (change_number, changed_at, app_number, actor, kind, subject, before, after)
                    overriding system value
                    values ($1, $2, $3, $4, $5, $6, $7, $8)
                    """,
                    [
                        .int(change.number), .timestamp(microseconds: change.at.microseconds), .int(number),
                        .text(change.who),
                        .text(change.what), .text(change.subject), PostgresValue(change.before),
                        PostgresValue(change.after),
                    ]
                )
            }
        }
    }

    // MARK: Asking

    struct Answer {
        var status: Int
        var body: String
        var headers: HTTPFields
    }

    func get(_ path: String, headers: [String: String] = [:], isSignedIn: Bool = true) async throws -> Answer {
        try await send(.get, path, headers: headers, isSignedIn: isSignedIn)
    }

    /// - Parameter headers: what the browser says of where the form is from.
    func post(
        _ form: [(name: String, value: String)],
        to path: String = "/links/new",
        headers: [String: String] = ["Sec-Fetch-Site": "same-origin"],
        isSignedIn: Bool = true
    ) async throws -> Answer {
        try await send(.post, path, FormFields.encode(form), headers: headers, isSignedIn: isSignedIn)
    }

    /// Sends a form with a file as a browser does.
    ///
    /// - Parameter file: nil: none is chosen.
    func post(_ form: [(name: String, value: String)], file: String?, to path: String) async throws -> Answer {
        let boundary = "----form7"
        let part = "--\(boundary)\r\nContent-Disposition: form-data; name="
        let body =
            form.map { "\(part)\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }.joined()
            + "\(part)\"file\"; filename=\"\(file == nil ? "" : "a.csv")\"\r\nContent-Type: text/csv\r\n\r\n"
            + "\(file ?? "")\r\n--\(boundary)--\r\n"
        let headers = [
            "Sec-Fetch-Site": "same-origin", "Content-Type": "multipart/form-data; boundary=\(boundary)",
        ]
        return try await send(.post, path, body, headers: headers, isSignedIn: true)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        headers: [String: String] = [:],
        isSignedIn: Bool
    ) async throws -> Answer {
        try #require(try await answer(method, path, body, headers: headers, isSignedIn: isSignedIn))
    }

    /// - Parameters:
    ///   - failure: why the body does not arrive.
    ///   - sender: where the request comes from.
    /// - Returns: nil if nothing is there.
    func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        failing failure: Problem? = nil,
        headers: [String: String] = [:],
        isSignedIn: Bool = true,
        from sender: PageSender = PageSender(address: IPAddress("192.0.2.1"))
    ) async throws -> Answer? {
        var dashboard = try Dashboard(
            authenticator: self,
            stores: try await stores(isOwn: method == .post),
            live: live,
            readiness: self,
            signInHeader: "Remote-Email",
            now: clock
        )
        (dashboard.source, dashboard.seen, dashboard.wrongPasswords) = (self, seen, wrongPasswords)
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:8080", path: path)
        if isSignedIn { head.headerFields[.cookie] = "tributary_session=\(session)" }
        for (name, value) in headers { head.headerFields[try #require(HTTPField.Name(name))] = value }
        let whole = RequestBody(buffer: ByteBuffer(string: body))
        let broken = failure.map { failure in
            RequestBody(asyncSequence: AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: failure) })
        }
        let request = Request(head: head, body: broken ?? whole)
        guard let response = await dashboard.respond(to: request, from: sender) else { return nil }
        let written = Written()
        try await response.body.write(written)
        return Answer(status: response.status.code, body: written.text, headers: response.headers)
    }

    private final class Written: ResponseBodyWriter {
        private var bytes = ByteBuffer()
        var text: String { String(buffer: bytes) }

        func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    // MARK: Being asked

    func results(
        of reports: [(name: String, parameters: [(name: String, value: String)])],
        in app: App
    ) async throws(DashboardFailure) -> [ReportResult] {
        var results: [ReportResult] = []
        for report in reports { results.append(try result(report.name, parameters: report.parameters, of: app)) }
        return results
    }

    private func result(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) throws(DashboardFailure) -> ReportResult {
        var request: ReportRequest
        do {
            request = try ReportRequest.parse(
                name: name,
                parameters: parameters,
                origin: .http,
                app: app,
                now: clock()
            )
        } catch {
            throw .invalid("\(error)")
        }
        request.firstEvent = contents.withLock(\.firstEvent)
        let table = try contents.withLock { contents throws(DashboardFailure) in
            guard let tables = contents.tables else { throw .unavailable }
            contents.reports.append(.init(name: name, parameters: parameters))
            if let reason = contents.refusals[name] { throw .invalid(reason) }
            return tables(name, parameters)
        }
        return ReportResult(
            request: request,
            table: table ?? ReportTable(columns: request.columns, rows: []),
            warnings: contents.withLock { $0.warnings[name] ?? [] }
        )
    }

    func check() throws(DashboardFailure) {
        if contents.withLock({ $0.isAway }) { throw .unavailable }
    }

    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        switch key {
        case Self.writeKey: Principal(appNumber: 7, appID: "shop", scope: .write, keyPrefix: "trib_w_sh")
        case "trib_r_shop": Principal(appNumber: 7, appID: "shop", scope: .read, keyPrefix: "trib_r_sh")
        case "trib_w_other": Principal(appNumber: 8, appID: "other", scope: .write, keyPrefix: "trib_w_ot")
        case "trib_m_shop":
            Principal(appNumber: 7, appID: "shop", scope: .manage, keyPrefix: "trib_m_sh", label: "console")
        case "trib_w_late": throw .unavailable(retryAfter: .seconds(1))
        default: nil
        }
    }

    func principalAtOnce(forKey key: String) -> Principal? { nil }
    func isKnown(origin: String) async throws(SinkError) -> Bool { false }
    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value { await operation() }
    func readiness() async -> Readiness { Readiness() }
}
