extension Rejection.Code {
    /// When an event gets this code. A sentence in Markdown; links are relative to docs/.
    package var meaning: String {
        switch self {
        case .invalidJSON: "A line of NDJSON is not JSON."
        case .invalidText:
            "A text contains U+0000, or is not Unicode or not UTF-8; a form has a bad percent escape such as `%zz`."
        case .notAnObject: "The event is not a JSON object."
        case .unknownField: "No event has this field, this type has not, or `sent_at` stands in a list of events."
        case .duplicateField: "A field is there twice."
        case .missingField: "A required field is absent."
        case .invalidType: "The value has the wrong JSON type."
        case .invalidValue: "The value is not one of the allowed ones, or cannot be read."
        case .unknownType: "There is no such type."
        case .tooLarge: "A limit of an event is exceeded."
        case .inFuture: "`occurred_at` or `clicked_at` is too far in the future ([time](events.md#time))."
        case .tooOld: "`occurred_at` is older than the retention ([time](events.md#time))."
        case .junkID: "The id [belongs to nobody](events.md#ids-that-belong-to-nobody)."
        case .appMismatch: "`app_id` is not the key's app."
        case .loginResult: "`url` is the [result of a login](links.md#login-results): send it as an `authentication`."
        case .notAFeedPost: "`callback_url` is the result of [another dialog](feed-posts.md#callbacks)."
        case .notALoginResult: "`url` of an `authentication` is not the [result of a login](links.md#login-results)."
        case .invalid: "`url` is not a link, or `callback_url` is not a callback."
        case .notAllowed: "A [key for apps](sending-events.md#from-the-app-itself) may not say this."
        case .refused: "The event is valid, but PostgreSQL would not store it."
        case .invalidRow: "Only `tributary import`: a row of a CSV file is broken."
        }
    }
}
