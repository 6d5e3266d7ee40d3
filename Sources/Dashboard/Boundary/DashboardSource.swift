import Ingest
import Reporting
import Storage
import Time

/// What the dashboard reads of an app's events: the same reports as on the command line and over HTTP. Tests have
/// canned tables. What else the dashboard keeps is in ``DashboardStores``.
protocol DashboardSource: Sendable {
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
