import JSONReading
import Time

/// A submission as a JSON object, for the spool: its events as ``EventJSON`` writes them, and its rejections.
package enum SubmissionJSON {
    package static func encode(_ submission: Submission) -> [UInt8] {
        var submission = submission
        return JSONMembers.write { $0.submission(&submission) }
    }

    package static func decode(_ text: some Sequence<UInt8>) throws(EventJSON.Malformed) -> Submission {
        guard let document = try? JSONDocument(reading: text) else { throw EventJSON.Malformed() }
        var submission = nothing
        try JSONMembers.read(document.root) { $0.submission(&submission) }
        return submission
    }

    /// A request without events. It takes the place of one that was deleted, so that no position is missing.
    package static let nothing = Submission(
        appNumber: 0,
        keyPrefix: "",
        receivedAt: Timestamp(microseconds: 0),
        events: []
    )

    /// The app of a request, even if another version has written it; nil if the app cannot be read either.
    package static func appNumber(in text: some Sequence<UInt8>) -> Int32? {
        (try? JSONDocument(reading: text))?.root[JSONMembers.app]?.number.flatMap { Int32($0) }
    }
}

extension JSONMembers {
    fileprivate static let app = "app"

    fileprivate mutating func submission(_ submission: inout Submission) {
        integer(Self.app, &submission.appNumber)
        text("key_prefix", &submission.keyPrefix)
        time("received_at", &submission.receivedAt)
        let receivedAt = submission.receivedAt
        objects("events", &submission.events, blank: .blank) { $0.event(&$1, receivedAt: receivedAt) }
        let blank = Rejection(index: 0, code: .invalid, message: "", redactedEvent: "")
        objects("rejections", &submission.rejections, blank: blank) { $0.rejection(&$1) }
    }

    private mutating func rejection(_ rejection: inout Rejection) {
        integer("index", &rejection.index)
        text("event_id", &rejection.eventID)
        word("code", &rejection.code)
        text("field", &rejection.field)
        text("message", &rejection.message)
        text("event", &rejection.redactedEvent)
    }
}
