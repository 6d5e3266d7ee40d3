import Reporting

/// Asks whether to delete a question, for the template `question-deletion`.
struct QuestionDeletion {
    static let path = "/questions/delete"

    var name: String
    var report: String
    var parameters: String
    var address: String
    var key: WriteKeyField

    init(_ question: SavedQuestion, key: WriteKeyField) {
        name = question.name
        report = question.report
        parameters = FormFields.words(question.parameters)
        address = question.path(.csv)
        self.key = key
    }
}

/// Asks whether to restore a deleted question, for the template `question-restoration`.
struct QuestionRestoration {
    static let path = "/questions/restore"

    var name: String
    var number: String
    var report: String
    var parameters: String
    var key: WriteKeyField

    init(_ question: SavedQuestion, number: Int64, key: WriteKeyField) {
        name = question.name
        self.number = "\(number)"
        report = question.report
        parameters = FormFields.words(question.parameters)
        self.key = key
    }
}
