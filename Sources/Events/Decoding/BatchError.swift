/// Why a whole body was not read. No event of it is stored or kept as a dead letter.
package enum BatchError: Error, Equatable, Sendable {
    /// The body is not what its media type says. The reason is a sentence, safe to show.
    case malformed(reason: String)
    /// The body holds no event.
    case empty
    case tooManyEvents(limit: Int)
    /// A key beside `events` that is not known there. Name and suggestion are safe to show.
    case unknownField(name: String, suggestion: String?)
    /// `sent_at` or another field beside `events` is not what it must be.
    case invalidField(name: String, reason: String)
    case tooDeep
    /// The body holds more values than are read.
    case tooLarge

    /// A stable code for the sender.
    package var code: String {
        switch self {
        case .malformed: "malformed"
        case .empty: "empty_batch"
        case .tooManyEvents: "too_many_events"
        case .unknownField: "unknown_field"
        case .invalidField: "invalid_field"
        case .tooDeep: "too_deep"
        case .tooLarge: "too_large"
        }
    }
}

extension BatchError: CustomStringConvertible {
    /// A sentence for the sender. Never holds a value of the body.
    package var description: String {
        switch self {
        case .malformed(let reason): reason
        case .empty: "the body holds no event"
        case .tooManyEvents(let limit): "a batch holds at most \(limit) events"
        case .unknownField(let name, let suggestion):
            "no batch has a field \(name)" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .invalidField(_, let reason): reason
        case .tooDeep: "the body is nested too deep"
        case .tooLarge: "the body holds too many values"
        }
    }
}
