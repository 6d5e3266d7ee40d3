import InboundLinks
import Postgres
import Reporting
import Storage
import Text

/// What a tool answers: JSON, or a sentence that says what is wrong and what to do.
package struct ToolOutcome: Equatable, Sendable {
    package let text: String
    package let isError: Bool

    package init(json: String) {
        text = json
        isError = false
    }

    init(_ failure: ToolFailure) {
        // A message repeats arguments, which may hold secrets.
        text = Redaction.redact(failure.message)
        isError = true
    }
}

/// Why a tool has no answer. The model reads it and tries again.
struct ToolFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ error: any Error) {
        switch error {
        case let failure as ToolFailure: self = failure
        case let error as ReportError: self.init(error.description(for: .http))
        case let error as QuestionError: self.init("\(error)")
        case AppStoreError.unknown(let id, let known):
            let hint = closestName(to: id, among: known).map { "; did you mean '\($0)'?" } ?? ""
            self.init("there is no app '\(id)'\(hint) (one of: \(known.joined(separator: ", ")))")
        case AppStoreError.unnamed(known: []): self.init("there is no app yet")
        case AppStoreError.unnamed(let known):
            self.init("app is required, because there are several: \(known.joined(separator: ", "))")
        case is CancellationError: self.init("the call was cancelled")
        case let error as PostgresError where error.isUnavailable:
            self.init("the database does not answer; try again later: \(error)")
        case let error as PostgresError: self.init("\(error)")
        default: self.init("the answer failed: \(error)")
        }
    }
}
