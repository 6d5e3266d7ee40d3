package import Reporting
package import Storage

/// Where the dashboard's figures come from: the same reports that the command line and HTTP give.
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
