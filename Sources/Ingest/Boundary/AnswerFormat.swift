/// The format in which a report is sent.
package enum AnswerFormat: String, CaseIterable, Sendable {
    case json, csv
}
