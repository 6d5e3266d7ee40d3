import Addresses
import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Redirects
import Synchronization
import Testing
import Time

@testable import Dashboard
@testable import Reporting
@testable import Storage

/// A dashboard whose links are in memory, and a person who has signed in.
final class StoredDashboard: DashboardSource, KeyAuthenticator, ReadinessProbe {
    static let now = Timestamp(rfc3339: "2026-11-25T14:00:00Z") ?? Timestamp(microseconds: 0)
    static let writeKey = "trib_w_shop"

    private struct Contents {
        var links: [Link]
        /// What creating a link answers in place of the link.
        var faults: [LinkFault] = []
        var isAway = false
        /// Whether sessions cannot be checked either.
        var areSessionsAway = false
        /// The text of each search.
        var searches: [String?] = []
        /// Answers reports; a report that it does not answer is empty. Nil: reports are unavailable.
        var tables: Tables?
        var reports: [Asked] = []
        /// Why reports are refused, by name.
        var refusals: [String: String] = [:]
        var questions: [SavedQuestion] = []
        var deletedQuestions: [SavedQuestion] = []
        var schedules: [QuestionSchedule] = []
        var runs: [QuestionRun] = []
        var notes: [Note] = []
        /// The newest first.
        var changes: [Change] = []
        /// Who has added notes.
        var actors: [String] = []
        var costs: [Cost] = []
        var rates: [ExchangeRate] = []
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
    private let contents: Mutex<Contents>
    private let seen = SeenSessions()
    private let wrongPasswords = WrongPasswords()
    let accounts = StoredAccounts()
    /// At ``now``.
    let live = LiveIngest(clock: { StoredDashboard.now.microseconds / 1_000_000 })

    init(
        _ links: [Link] = [],
        properties: [AppProperty] = [],
        app change: (inout AppProfile) -> Void = { _ in }
    ) {
        var profile = AppProfile(id: "shop", name: "Shop")
        profile.linkHosts = ["go.example"]
        profile.timeZone = "Europe/Berlin"
        profile.iPhoneStoreID = "111"
        profile.androidPackage = "com.example.shop"
        change(&profile)
        var app = App(number: 7, profile: profile)
        app.properties = properties
        self.app = app
        contents = Mutex(Contents(links: links))
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

    var questions: [SavedQuestion] { contents.withLock { $0.questions } }
    var deletedQuestions: [SavedQuestion] { contents.withLock { $0.deletedQuestions } }
    var actors: [String] { contents.withLock { $0.actors } }
    var links: [Link] { contents.withLock { $0.links } }
    var searches: [String?] { contents.withLock { $0.searches } }
    var reports: [Asked] { contents.withLock { $0.reports } }
    func answer(_ tables: @escaping Tables) { contents.withLock { $0.tables = tables } }
    func refuse(_ faults: [LinkFault]) { contents.withLock { $0.faults = faults } }
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
    func loseSessions() { contents.withLock { $0.areSessionsAway = true } }

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

    /// - Parameter sender: where the request comes from.
    /// - Returns: nil if nothing is there.
    func answer(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        headers: [String: String] = [:],
        isSignedIn: Bool = true,
        from sender: PageSender = PageSender(address: IPAddress("192.0.2.1"))
    ) async throws -> Answer? {
        var dashboard = try Dashboard(
            authenticator: self,
            source: self,
            live: live,
            readiness: self,
            signInHeader: "Remote-Email",
            now: { Self.now }
        )
        (dashboard.seen, dashboard.wrongPasswords) = (seen, wrongPasswords)
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:8080", path: path)
        if isSignedIn { head.headerFields[.cookie] = "tributary_session=abc" }
        for (name, value) in headers { head.headerFields[try #require(HTTPField.Name(name))] = value }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        guard let response = await dashboard.respond(to: request, from: sender) else { return nil }
        let written = Written()
        try await response.body.write(written)
        return Answer(status: response.status.code, body: written.text, headers: response.headers)
    }

    /// A page of the log, for a manager.
    func log(_ query: String = "") async throws -> Answer {
        accounts.signIn(as: .manager)
        return try await get(Dashboard.logPath + query)
    }

    private final class Written: ResponseBodyWriter {
        private var bytes = ByteBuffer()
        var text: String { String(buffer: bytes) }

        func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    var schedules: [QuestionSchedule] { contents.withLock(\.schedules) }
    var notes: [Note] { contents.withLock(\.notes) }
    func add(_ run: QuestionRun) { contents.withLock { $0.runs.append(run) } }

    // MARK: Being asked

    func checkSessions() throws(DashboardFailure) {
        if contents.withLock(\.areSessionsAway) { throw .unavailable }
    }

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
                now: Self.now
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

    func questions(of app: App) async throws(DashboardFailure) -> [SavedQuestion] {
        try check()
        return contents.withLock(\.questions)
    }

    func saveQuestion(
        _ name: String,
        report: String,
        parameters: [(name: String, value: String)],
        replacing: Bool,
        of app: App
    ) async throws(DashboardFailure) -> SavedQuestion {
        try check()
        guard let name = QuestionName(name) else { throw .invalid("no name") }
        let question = SavedQuestion(
            StoredQuestion(name: name, report: report, parameters: parameters, createdAt: Self.now, updatedAt: Self.now)
        )
        let isSaved = contents.withLock { contents in
            let isTaken = contents.questions.contains { $0.name == question.name }
            guard replacing || !isTaken else { return false }
            contents.questions.removeAll { $0.name == question.name }
            contents.questions.append(question)
            return true
        }
        guard isSaved else { throw .invalid("the name is taken") }
        return question
    }

    func deleteQuestion(_ name: String, of app: App) async throws(DashboardFailure) {
        try check()
        let isKnown = contents.withLock { contents in
            guard let index = contents.questions.firstIndex(where: { $0.name == name }),
                let stored = Self.stored(
                    contents.questions.remove(at: index),
                    deletion: .init(number: Int64(contents.deletedQuestions.count + 1), at: Self.now)
                )
            else { return false }
            contents.deletedQuestions.insert(SavedQuestion(stored), at: 0)
            return true
        }
        guard isKnown else { throw .invalid("no such question") }
    }

    func deletedQuestions(of app: App) async throws(DashboardFailure) -> [SavedQuestion] {
        try check()
        return contents.withLock(\.deletedQuestions)
    }

    func restoreQuestion(_ name: String, number: Int64, of app: App) async throws(DashboardFailure) -> SavedQuestion {
        try check()
        let restored: SavedQuestion? = contents.withLock { contents in
            guard !contents.questions.contains(where: { $0.name == name }),
                let index = contents.deletedQuestions.firstIndex(where: {
                    $0.name == name && $0.deletion?.number == number
                }), let stored = Self.stored(contents.deletedQuestions.remove(at: index), deletion: nil)
            else { return nil }
            contents.questions.append(SavedQuestion(stored))
            return SavedQuestion(stored)
        }
        guard let restored else { throw .invalid("the name is taken") }
        return restored
    }

    func schedules(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionSchedule] {
        try check()
        return contents.withLock { $0.schedules.filter { $0.question == question } }
    }

    func runs(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionRun] {
        try check()
        return contents.withLock { $0.runs.filter { $0.question == question } }
    }

    func schedule(_ draft: ScheduledQuestions.Draft, of app: App) async throws(DashboardFailure) {
        try check()
        do {
            let times = try SendingTimes(every: draft.every, at: draft.at)
            let target = try SendingTarget(draft.target)
            contents.withLock { contents in
                var stored = StoredSchedule(
                    number: Int64(contents.schedules.count + 1),
                    appNumber: app.number,
                    appID: app.profile.id,
                    question: draft.question,
                    watch: draft.watch,
                    period: times.period.rawValue,
                    day: times.day,
                    minute: times.minute,
                    format: draft.format,
                    target: target.text,
                    createdAt: Self.now
                )
                stored.shares = draft.shares
                contents.schedules += [QuestionSchedule(stored)].compactMap(\.self)
            }
        } catch {
            throw .invalid("\(error)")
        }
    }

    func deleteSchedule(_ number: Int64, of app: App) async throws(DashboardFailure) {
        try check()
        contents.withLock { $0.schedules.removeAll { $0.number == number } }
    }

    func notes(of app: App, days: (first: String, last: String)?) async throws(DashboardFailure) -> [Note] {
        try check()
        return contents.withLock { contents in
            contents.notes.filter { note in
                days.map { $0.first <= note.day.description && note.day.description <= $0.last } ?? true
            }
        }
    }

    func log(_ changes: [Change]) { contents.withLock { $0.changes = changes } }

    func changes(of app: App, before number: Int64?, limit: Int) async throws(DashboardFailure) -> [Change] {
        try check()
        return contents.withLock { contents in
            Array(contents.changes.filter { $0.number < number ?? .max }.prefix(limit))
        }
    }

    func addNote(_ text: String, on day: String, of app: App) async throws(DashboardFailure) {
        try check()
        contents.withLock { $0.actors.append(Actor.name) }
        guard let day = CivilDate(day), !text.isEmpty else { throw .invalid("no day") }
        contents.withLock { $0.notes.append(Note(number: Int64($0.notes.count + 1), day: day, text: text)) }
    }

    func deleteNote(_ number: Int64, of app: App) async throws(DashboardFailure) {
        try check()
        contents.withLock { $0.notes.removeAll { $0.number == number } }
    }

    // MARK: Money

    var costs: [Cost] { contents.withLock(\.costs) }
    var rates: [ExchangeRate] { contents.withLock(\.rates) }

    func costs(of app: App) async throws(DashboardFailure) -> [Cost] {
        try check()
        return costs
    }

    func addCost(_ fields: [String: String], of app: App) async throws(DashboardFailure) {
        try check()
        do {
            var cost = try Cost(ownCurrency: app.profile.currency) { fields[$0] }
            contents.withLock { contents in
                cost.number = Int64(contents.costs.count + 1)
                contents.costs.append(cost)
            }
        } catch {
            throw .invalid("\(error)")
        }
    }

    func removeCost(_ number: Int64, of app: App) async throws(DashboardFailure) {
        try check()
        contents.withLock { $0.costs.removeAll { $0.number == number } }
    }

    /// Lines of refs.
    func importCosts(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport {
        let names = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard names.first != "bad" else { throw .invalid("line 1: bad") }
        for name in names { try await addCost(["ref": "\(name)", "from": "2026-11-24", "amount": "1"], of: app) }
        return MoneyImport(count: names.count, changed: names.count)
    }

    func rates(of app: App) async throws(DashboardFailure) -> [RateStore.Span] {
        try check()
        return rates.map { RateStore.Span(last: $0, count: 1, first: $0.day) }
    }

    /// Lines of currencies.
    func importRates(_ file: [UInt8], of app: App) async throws(DashboardFailure) -> MoneyImport {
        let names = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard names.first != "bad" else { throw .invalid("line 1: bad") }
        let day = CivilDate(number: 20_000)
        contents.withLock { contents in
            contents.rates = names.map { .init(currency: "\($0)", day: day, numerator: 3, denominator: 2) }
        }
        return MoneyImport(count: names.count, changed: 0)
    }

    func clearRates(_ currency: String?, of app: App) async throws(DashboardFailure) {
        try check()
        contents.withLock { $0.rates.removeAll { currency == nil || $0.currency == currency } }
    }

    private static func stored(_ question: SavedQuestion, deletion: StoredQuestion.Deletion?) -> StoredQuestion? {
        QuestionName(question.name).map { name in
            StoredQuestion(
                name: name,
                report: question.report,
                parameters: question.parameters,
                createdAt: question.createdAt,
                updatedAt: question.updatedAt,
                deletion: deletion
            )
        }
    }

    func check() throws(DashboardFailure) {
        if contents.withLock({ $0.isAway }) { throw .unavailable }
    }

    func links(
        of app: App,
        text: String?,
        after address: LinkAddress?,
        limit: Int
    ) async throws(DashboardFailure) -> [Link] {
        try check()
        return contents.withLock { contents in
            contents.searches.append(text)
            let found = contents.links.filter { text == nil || $0.slug.contains(text ?? "") }
            let start = address.flatMap { address in
                found.firstIndex { $0.host == address.host && $0.slug == address.slug }
            }
            return Array(found.dropFirst(start.map { $0 + 1 } ?? 0).prefix(limit))
        }
    }

    func link(at address: LinkAddress, of app: App) async throws(DashboardFailure) -> Link? {
        try check()
        return links.first { $0.host == address.host && $0.slug == address.slug }
    }

    func create(_ link: Link, of app: App) async throws(DashboardFailure) -> LinkStoreResult {
        try check()
        return contents.withLock { contents in
            guard contents.faults.isEmpty else { return .faults(contents.faults) }
            var link = link
            if link.host.isEmpty { link.host = "go.example" }
            if link.slug.isEmpty { link.slug = "abc2345" }
            contents.links.append(link)
            return .created(link)
        }
    }

    func textForQRCode(of link: Link) async throws(DashboardFailure) -> String { link.capitalURL ?? link.shortURL }

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
