import InboundLinks
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
    /// Nil if it is not deleted.
    package var deletion: Deletion?

    /// A deleted question stays for some time. Several may have had the same name.
    package struct Deletion: Equatable, Sendable {
        package var number: Int64
        package var at: Timestamp

        package init(number: Int64, at: Timestamp) {
            self.number = number
            self.at = at
        }
    }

    /// As the log of changes shows them.
    var changeFields: ChangeLog.Fields {
        [("report", .string(report)), ("parameters", .list(parameters.map { "\($0.name)=\($0.value)" }))]
    }

    package init(
        name: QuestionName,
        report: String,
        parameters: [(name: String, value: String)],
        createdAt: Timestamp,
        updatedAt: Timestamp,
        deletion: Deletion? = nil
    ) {
        self.name = name
        self.report = report
        self.parameters = parameters
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.deletion = deletion
    }
}
