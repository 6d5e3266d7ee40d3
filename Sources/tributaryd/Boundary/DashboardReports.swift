import Dashboard
import InboundLinks
import Postgres
import Reporting
import Storage
import Time

/// Makes the dashboard's reports, as the command line and HTTP do.
struct DashboardReports: DashboardSource {
    let pool: PostgresPool

    func app(id: String) async throws(DashboardFailure) -> App {
        do {
            return try await AppStore(pool: pool).app(id: id)
        } catch is AppStoreError {
            throw .unknownApp
        } catch {
            throw .unavailable
        }
    }

    func report(
        _ name: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> ReportResult {
        do {
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters,
                origin: .http,
                app: app,
                now: .now
            )
            return try await ReportRunner.run(request, on: pool)
        } catch let error as ReportError {
            throw .invalid(Redaction.redact("\(error)"))
        } catch let error as PostgresError where error.isStatementTimeout {
            throw .timedOut
        } catch {
            throw .unavailable
        }
    }
}
