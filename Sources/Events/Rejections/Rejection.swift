/// Why one event was not stored, as answered to the sender and kept in the dead-letter table.
package struct Rejection: Error, Equatable, Sendable {
    /// Position in the batch, from 0.
    package var index: Int
    /// As sent, redacted and cut to 256 bytes; nil if it was absent or not a text.
    package var eventID: String?
    package var code: Code
    /// The field at fault; nil if no single field is.
    package var field: String?
    /// A sentence for the sender. Never contains a text of the event, only a number, a time or a UUID that was
    /// read from it.
    package var message: String
    /// The event as sent, redacted and cut to 32 KiB. An event of a form is kept as JSON.
    ///
    /// If only the request or the batch gave its `type`, `sent_at` or `app_id`, they are added, so that the event can
    /// be read again alone.
    package var redactedEvent: String

    package init(
        index: Int,
        eventID: String? = nil,
        code: Code,
        field: String? = nil,
        message: String,
        redactedEvent: String
    ) {
        self.index = index
        self.eventID = eventID
        self.code = code
        self.field = field
        self.message = message
        self.redactedEvent = redactedEvent
    }

    /// Stable codes: clients switch on them. Raw values are the spelling on the wire.
    package enum Code: String, CaseIterable, Sendable {
        case invalidJSON = "invalid_json"
        case invalidText = "invalid_text"
        case notAnObject = "not_an_object"
        case unknownField = "unknown_field"
        /// A key of the event is there twice. Which value was meant is unclear.
        case duplicateField = "duplicate_field"
        case missingField = "missing_field"
        case invalidType = "invalid_type"
        case invalidValue = "invalid_value"
        case unknownType = "unknown_type"
        case tooLarge = "too_large"
        case inFuture = "in_future"
        case tooOld = "too_old"
        case junkID = "junk_id"
        case appMismatch = "app_mismatch"
        case loginResult = "login_result"
        case notAFeedPost = "not_a_feed_post"
        case notALoginResult = "not_a_login_result"
        case invalid
        /// The event came with a key for apps, which may not say this.
        case notAllowed = "not_allowed"
        /// The event passed every check, but PostgreSQL refused to store it.
        case refused
        /// A broken row of a CSV file: a wrong quotation mark, or too few or too many columns.
        case invalidRow = "invalid_row"
    }
}
