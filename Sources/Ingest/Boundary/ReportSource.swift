/// Answers `GET /v1/reports/<name>`.
package protocol ReportSource: Sendable {
    /// Runs and renders a report.
    ///
    /// - Parameters:
    ///   - name: as in the path, decoded; whatever the sender wrote.
    ///   - parameters: of the query, decoded, in their order, repeated ones included, less `format`.
    ///   - principal: holds a read key. A report never shows another app's figures.
    func report(
        _ name: String,
        parameters: [(String, String)],
        format: AnswerFormat,
        for principal: Principal
    ) async throws(ReportFailure) -> RenderedReport
}
