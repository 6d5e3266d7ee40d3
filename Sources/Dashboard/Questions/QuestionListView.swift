import Reporting

/// The saved questions of the app, for the template `questions`.
struct QuestionListView {
    struct Row {
        var name: String
        var page: String
        var report: String
        var parameters: String
        var saved: String
    }

    var rows: [Row]

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let time = LocalTime(timeZone: request.timeZone)
        rows = try await request.source.questions(of: request.app).map { question in
            Row(
                name: question.name,
                page: question.page,
                report: question.report,
                parameters: Self.words(question.parameters),
                saved: time.text(question.updatedAt)
            )
        }
    }

    static func words(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}

extension SavedQuestion {
    static let pagePath = "/questions/question"

    /// The URL of its page.
    var page: String { Self.page(name) }

    static func page(_ name: String) -> String { pagePath + "?" + FormFields.encode([("name", name)]) }
}
