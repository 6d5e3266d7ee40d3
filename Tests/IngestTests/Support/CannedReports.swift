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
                fileName: "channels-shop.csv",
                warnings: asked.contains("goal=") ? ["no event has the goal 'é%'"] : []
            )
        }
    }

    func questions(for principal: Principal) async throws(AnswerFailure) -> String {
        if let failure { throw failure }
        return #"{"questions":[]}"#
    }

    func question(
        _ name: String,
        format: AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport? {
        guard name == "by-ref" else { return nil }
        return try await report("channels", parameters: [("by", "week")], format: format, for: principal)
    }
}
