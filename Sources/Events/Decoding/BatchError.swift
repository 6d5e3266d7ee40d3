/// Why a whole body was refused. None of its events is stored or kept as a dead letter.
package enum BatchError: Error, Equatable, Sendable {
    /// The body is not what its media type says. The reason is a sentence, safe to show.
    case malformed(reason: String)
    /// The body contains no event.
    case empty
    case tooManyEvents(limit: Int)
    /// An unknown key beside `events`. The name and the suggestion are safe to show.
    case unknownField(name: String, suggestion: String?)
    /// `events`, `sent_at` or `app_id` is there twice.
    case duplicateField(name: String)
    /// `events`, `sent_at` or `app_id` has an invalid value. The reason is a sentence, safe to show.
    case invalidField(name: String, reason: String)
    case tooDeep
    /// The body contains too many values: more than 1,000,000 in JSON, or more than 256 in a form.
    case tooLarge

    /// A stable code for the sender.
    package var code: String {
        switch self {
        case .malformed: "malformed"
        case .empty: "empty_batch"
        case .tooManyEvents: "too_many_events"
        case .unknownField: "unknown_field"
        case .duplicateField: "duplicate_field"
        case .invalidField: "invalid_field"
        case .tooDeep: "too_deep"
        case .tooLarge: "too_large"
        }
    }
}

extension BatchError: CustomStringConvertible {
    /// A sentence for the sender. Never contains a value of the body.
    package var description: String {
        switch self {
        case .malformed(let reason): reason
        case .empty: "the body contains no event; send at least one"
        case .tooManyEvents(let limit): "the batch has more than \(limit) events; split it into smaller batches"
        case .unknownField(let name, let suggestion):
            "unknown field \(name) beside events; "
                + (suggestion.map { "did you mean \($0)?" } ?? "only sent_at and app_id are allowed there")
        case .duplicateField(let name): EventFault.repeated(name)
        case .invalidField(_, let reason): reason
        case .tooDeep: "the body is nested deeper than \(EventLimits.bodyDepth) levels"
        case .tooLarge: "the body contains too many values; split it into smaller batches"
        }
    }
}
