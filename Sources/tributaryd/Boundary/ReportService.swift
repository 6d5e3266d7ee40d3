import Ingest
import Postgres
import Reporting
import Storage
import Time

/// Makes reports for HTTP, with the same output as the command line.
struct ReportService: ReportSource {
    let pool: PostgresPool

    func report(
        _ name: String,
        parameters: [(String, String)],
        format: Ingest.AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport {
        guard ReportCatalogue.names.contains(name) else {
            throw .unknownReport(allowed: ReportCatalogue.names)
        }
        return try await AnswerFailure.translating {
            let app = try await AppStore(pool: pool).app(id: principal.appID)
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters.map { (name: $0.0, value: $0.1) },
                origin: .http,
                app: app,
                now: .now
            )
            let notice = await AppStore(pool: pool).historyNotice(of: app)
            let result = try await ReportRunner.run(request, on: pool)
            var report =
                switch format {
                case .csv:
                    RenderedReport(
                        bytes: Array(result.text(as: .csv).utf8),
                        contentType: "text/csv; charset=utf-8; header=present",
                        fileName: "\(result.fileStem).csv"
                    )
                case .json: RenderedReport(bytes: Array(result.text(as: .json).utf8), contentType: "application/json")
                }
            report.notice = notice
            return report
        }
    }
}
