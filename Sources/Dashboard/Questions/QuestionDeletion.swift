import Reporting

/// Asks whether to delete a question, for the template `question-deletion`.
struct QuestionDeletion {
    static let path = "/questions/delete"

    var name: String
    var report: String
    var parameters: String
    var address: String

    init(_ question: SavedQuestion) {
        name = question.name
        report = question.report
        parameters = FormFields.words(question.parameters)
        address = question.path(.csv)
    }
}
