package import Reporting
package import Storage

/// What the dashboard asks the database for: sessions, and the same reports as on the command line and over HTTP.
package protocol DashboardSource: Sendable {
    /// Begins a session.
    ///
    /// - Returns: the session's id; nil if the key is not a valid read key.
    func beginSession(key: String) async throws(DashboardFailure) -> String?

    /// The app of a session; nil if the session has ended.
    func app(ofSession id: String) async throws(DashboardFailure) -> App?

    /// Ends a session, on every daemon.
    func endSession(_ id: String) async throws(DashboardFailure)

    /// - Parameter parameters: as over HTTP, names without dashes.
    /// - Throws: `DashboardFailure`.
    func report(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportResult
}
