package import Time

/// A question as it is stored: the name of a report, and its parameters as somebody wrote them.
package struct StoredQuestion: Sendable {
    package var name: QuestionName
    package var report: String
    /// In order. A name may occur several times.
    package var parameters: [(name: String, value: String)]
    package var createdAt: Timestamp
    /// When it was saved last.
    package var updatedAt: Timestamp

    package init(
        name: QuestionName,
        report: String,
        parameters: [(name: String, value: String)],
        createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.name = name
        self.report = report
        self.parameters = parameters
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
