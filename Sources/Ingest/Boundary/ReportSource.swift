/// Answers `GET /v1/reports/<name>`, and the same for saved questions.
package protocol ReportSource: Sendable {
    /// The reports that there are.
    var offers: [ReportOffer] { get }

    /// Runs and renders a report.
    ///
    /// - Parameters:
    ///   - name: the name in the path, decoded. It can be any text.
    ///   - parameters: the parameters of the query, decoded, in order, with repetitions, without `format`.
    ///   - principal: the holder of a read key. The report shows only the figures of its app.
    func report(
        _ name: String,
        parameters: [(String, String)],
        format: AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport

    /// The saved questions of an app, as JSON.
    func questions(for principal: Principal) async throws(AnswerFailure) -> String

    /// Runs and renders the report of a saved question.
    ///
    /// - Parameter name: any text.
    /// - Returns: nil if the app has no question of this name.
    func question(
        _ name: String,
        format: AnswerFormat,
        for principal: Principal
    ) async throws(AnswerFailure) -> RenderedReport?
}
