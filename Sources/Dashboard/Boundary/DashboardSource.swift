package import Ingest
package import Redirects
package import Reporting
package import Storage
package import Time

/// What the dashboard asks the database for: the same reports as on the command line and over HTTP, saved questions and
/// short links.
package protocol DashboardSource: AccountSource, MoneySource {
    /// What a reader of the app's figures must know: that history is being read again, or as of when a standby answers.
    /// Asked before the reports.
    func notices(of app: App) async -> [String]

    /// Whether the app has any event, of any time.
    func hasEvents(_ app: App) async throws(DashboardFailure) -> Bool

    /// What has happened in the app at least once, as far as its newest events show it.
    func milestones(of app: App) async throws(DashboardFailure) -> Set<AppMilestone>

    /// When the app's last event was received, and how many of yesterday's came late, in words; nil if that cannot be
    /// read.
    func freshness(of app: App) async -> (receivedAt: Timestamp?, words: String)?

    /// The events that happened last, the newest first.
    func newestEvents(of app: App) async throws(DashboardFailure) -> [NewestEvent]

    /// The results of reports, in one pass over the events.
    ///
    /// - Parameter reports: each with its parameters as over HTTP, names without dashes.
    /// - Throws: `DashboardFailure`.
    func results(
        of reports: [(name: String, parameters: [(name: String, value: String)])],
        in app: App
    ) async throws(DashboardFailure) -> [ReportResult]

    /// The people behind a figure.
    ///
    /// - Parameter parameters: as over HTTP, names without dashes; `people` among them.
    func people(
        _ report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportTable

    /// The same as CSV.
    func peopleText(
        _ report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> LongText

    /// What is known of a person.
    func person(_ key: PersonKey, of app: App) async throws(DashboardFailure) -> PersonHistory

    /// The saved questions and the boards of an app, by name.
    func questions(of app: App) async throws(DashboardFailure) -> [SavedQuestion]

    /// Saves a report with its parameters under a name, or a board.
    ///
    /// - Parameters:
    ///   - parameters: as over HTTP, names without dashes, without `format`.
    ///   - replacing: whether a question of this name is replaced.
    /// - Throws: `DashboardFailure.invalid` for a name or parameters that are refused, and for a name that is taken.
    func saveQuestion(
        _ name: String,
        report: String,
        parameters: [(name: String, value: String)],
        replacing: Bool,
        of app: App
    ) async throws(DashboardFailure) -> SavedQuestion

    /// The deleted questions of an app that can be restored, those that were deleted last first.
    func deletedQuestions(of app: App) async throws(DashboardFailure) -> [SavedQuestion]

    /// - Parameter number: of the deleted question.
    /// - Throws: `DashboardFailure.invalid` if there is no such question, or another one has its name.
    func restoreQuestion(_ name: String, number: Int64, of app: App) async throws(DashboardFailure) -> SavedQuestion

    /// - Throws: `DashboardFailure.invalid` if the app has no question of this name.
    func deleteQuestion(_ name: String, of app: App) async throws(DashboardFailure)

    /// When a question is sent, and where to.
    func schedules(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionSchedule]

    /// What was sent of a question, the newest first.
    func runs(of question: String, _ app: App) async throws(DashboardFailure) -> [QuestionRun]

    /// - Throws: `DashboardFailure.invalid` for a schedule that is refused.
    func schedule(_ draft: ScheduledQuestions.Draft, of app: App) async throws(DashboardFailure)

    /// Does nothing if there is no such schedule.
    func deleteSchedule(_ number: Int64, of app: App) async throws(DashboardFailure)

    /// What happened on some days, by day.
    ///
    /// - Parameter days: the first and the last one, as dates; nil: all.
    func notes(of app: App, days: (first: String, last: String)?) async throws(DashboardFailure) -> [Note]

    /// - Throws: `DashboardFailure.invalid` for a text or a day that is refused.
    func addNote(_ text: String, on day: String, of app: App) async throws(DashboardFailure)

    /// - Throws: `DashboardFailure.invalid` if there is no such note.
    func deleteNote(_ number: Int64, of app: App) async throws(DashboardFailure)

    /// The changes of an app, the newest first.
    ///
    /// - Parameter number: of the last change of the page before; nil for the first page.
    func changes(of app: App, before number: Int64?, limit: Int) async throws(DashboardFailure) -> [Change]

    /// The live links of an app, the newest first.
    ///
    /// - Parameters:
    ///   - text: a part of the slug, of an address, the title or the note; nil: all links.
    ///   - address: of the last link of the page before; nil for the first page.
    ///   - limit: how many at most.
    func links(
        of app: App,
        text: String?,
        after address: LinkAddress?,
        limit: Int
    ) async throws(DashboardFailure) -> [Link]

    /// - Returns: nil if the app has no live link there.
    func link(at address: LinkAddress, of app: App) async throws(DashboardFailure) -> Link?

    /// Creates a link. The caller has checked that the person may.
    ///
    /// - Parameter link: an empty host stands for the app's first one, an empty slug for a random one.
    func create(_ link: Link, of app: App) async throws(DashboardFailure) -> LinkStoreResult

    /// The text of a QR code that leads to a live link.
    func textForQRCode(of link: Link) async throws(DashboardFailure) -> String
}

extension DashboardSource {
    /// The result of one report.
    func report(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportResult {
        try await results(of: [(name, parameters)], in: app)[0]
    }
}
