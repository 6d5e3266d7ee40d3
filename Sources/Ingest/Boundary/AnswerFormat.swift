/// What a report is sent as.
package enum AnswerFormat: String, CaseIterable, Sendable {
    case json, csv
}
