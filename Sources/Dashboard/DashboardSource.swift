package import Reporting
package import Storage

/// The source of the dashboard's figures: the same reports as on the command line and over HTTP.
package protocol DashboardSource: Sendable {
    /// - Throws: `DashboardFailure`.
    func app(id: String) async throws(DashboardFailure) -> App

    /// - Parameter parameters: as over HTTP, names without dashes.
    /// - Throws: `DashboardFailure`.
    func report(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportResult
}
