import Ingest

/// Has one report, which contains the parameters that it was asked for.
struct CannedReports: ReportSource {
    var failure: AnswerFailure?

    func report(
        _ name: String,
        parameters: [(String, String)],
        format: AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport {
        if let failure { throw failure }
        guard name == "channels" else { throw .unknownReport(allowed: ["channels"]) }
        let asked = parameters.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        switch format {
        case .json:
            return RenderedReport(bytes: Array("[{\"asked\":\"\(asked)\"}]".utf8), contentType: "application/json")
        case .csv:
            return RenderedReport(
                bytes: Array("asked\r\n\(asked)\r\n".utf8),
                contentType: "text/csv; charset=utf-8",
                fileName: "channels-shop.csv"
            )
        }
    }
}
