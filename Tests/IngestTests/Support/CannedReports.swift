import Ingest

/// Has one report, which contains the parameters that it was asked for, and one that is never ready.
struct CannedReports: ReportSource {
    var failure: AnswerFailure?

    let offers = [
        ReportOffer(
            name: "channels",
            summary: "Touches by channel: \"all\".",
            parameters: [
                ReportOffer.Parameter(name: "goal", summary: "Conversions.", kind: .text),
                ReportOffer.Parameter(name: "where", summary: "Conditions.", kind: .repeated),
            ]
        ),
        ReportOffer(
            name: "daily_people",
            summary: "People.",
            parameters: [
                ReportOffer.Parameter(name: "a", summary: "One.", kind: .word(["on", "off"]), isRequired: true),
                ReportOffer.Parameter(name: "times", summary: "Times.", kind: .flag),
                ReportOffer.Parameter(name: "limit", summary: "Rows.", kind: .count),
            ]
        ),
    ]

    func report(
        _ name: String,
        parameters: [(String, String)],
        format: AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport {
        if let failure { throw failure }
        if name == "endless" { throw await Self.endlessReport() }
        guard name == "channels" else { throw .unknownReport(allowed: ["channels"]) }
        let asked = parameters.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        if asked.contains("people=") { return Self.list }
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

    /// Waits until the client has gone, as a report does that reads for hours.
    private static func endlessReport() async -> AnswerFailure {
        guard let client = CurrentRequest.client else { return .internalError }
        try? await client.reading { while true { try await Task.sleep(for: .seconds(3600)) } }
        return .unavailable(retryAfter: .seconds(1))
    }

    /// Longer than one piece.
    static let list = {
        let text = Array(String(repeating: "search,user,é\r\n", count: 20_000).utf8)
        var report = RenderedReport(bytes: [], contentType: "text/csv", fileName: "channels-people.csv")
        report.long = LongText(size: text.count, hash: 7) { Array(text[$0..<min(text.count, $0 + $1)]) }
        return report
    }()

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
