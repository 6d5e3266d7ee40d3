/// Why a ``ReportSource``, an ``AnswerSource`` or a ``LinkSource`` has no answer.
package enum AnswerFailure: Error, Equatable, Sendable {
    /// No report has this name: 400.
    ///
    /// - Parameter allowed: the names of all reports.
    case unknownReport(allowed: [String])
    /// The app was deleted since its key was looked up: 401.
    case unknownApp
    /// The app has moved to another database: 410.
    case movedApp
    /// A parameter is unknown, missing or wrong: 400.
    ///
    /// - Parameters:
    ///   - message: a sentence for the sender, without the value at fault.
    ///   - field: the parameter.
    ///   - allowed: the possible values; empty if they are not a short list.
    case invalidParameter(message: String, field: String?, allowed: [String])
    /// The person has no such install or conversion: 404.
    ///
    /// - Parameters:
    ///   - message: a sentence for the sender.
    ///   - field: the parameter that is probably misspelt.
    ///   - nearest: what was probably meant; empty if nothing is close.
    case unknownEvent(message: String, field: String, nearest: [String])
    /// As many answers as may be are in progress: 503.
    case overloaded(retryAfter: Duration)
    /// The database is unavailable: 503.
    case unavailable(retryAfter: Duration)
    /// The answer took longer than it may: 503.
    case timedOut
    /// Something that nobody has foreseen: 500. The log says what.
    case internalError
}
