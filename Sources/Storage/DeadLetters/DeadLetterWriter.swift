import Events
import Postgres
import Text
import Time

/// Stores rejected events as dead letters: redacted, with the reason.
enum DeadLetterWriter {
    private struct Letter {
        var id: EventID
        var rejection: Rejection
        /// The event as it was read (`EventJSON`); empty if it could not be read.
        var event = ""

        /// In ASCII, for a database that cannot hold its text.
        var escaped: Letter {
            var letter = self
            letter.rejection.eventID = rejection.eventID.map(DeadLetterWriter.escaped)
            letter.rejection.field = rejection.field.map(DeadLetterWriter.escaped)
            letter.rejection.message = DeadLetterWriter.escaped(rejection.message)
            letter.rejection.redactedEvent = DeadLetterWriter.escaped(rejection.redactedEvent)
            letter.event = DeadLetterWriter.escaped(event)
            return letter
        }

        /// Without any text that the sender chose, but in the event as it was read.
        var bare: Letter {
            var letter = escaped
            letter.rejection.eventID = nil
            letter.rejection.field = nil
            letter.rejection.message = "the database refused this event and its text"
            letter.rejection.redactedEvent = "{}"
            return letter
        }
    }

    /// Stores a submission's rejections and refused events.
    ///
    /// - Parameter refused: positions of the submission's events that PostgreSQL refused.
    static func keep(
        _ submission: Submission,
        refused: [Int],
        on connection: isolated PostgresConnection
    ) throws {
        var letters = letters(of: submission, refused: refused)
        guard !letters.isEmpty else { return }
        try dropErased(&letters, of: submission, on: connection)
        try insert(letters, of: submission, on: connection)
    }

    /// The same, each dead letter in a transaction of its own. A dead letter that the database refuses is kept with
    /// less text, so that it does not hold up others.
    ///
    /// - Parameter isOfLetter: whether an error is the fault of what is stored.
    static func keepSingly(
        _ submission: Submission,
        refused: [Int],
        on connection: isolated PostgresConnection,
        isOfLetter: (PostgresError) -> Bool
    ) throws {
        for letter in letters(of: submission, refused: refused) {
            var forms = [letter, letter.escaped, letter.bare][...]
            while let form = forms.popFirst() {
                do {
                    try connection.transaction {
                        var letters = [letter]
                        try dropErased(&letters, of: submission, on: connection)
                        if !letters.isEmpty { try insert([form], of: submission, on: connection) }
                    }
                    break
                } catch let error as PostgresError where isOfLetter(error) && !forms.isEmpty {
                    continue
                }
            }
        }
    }

    private static func letters(of submission: Submission, refused: [Int]) -> [Letter] {
        var letters = submission.rejections.enumerated().map { position, rejection in
            let ids = submission.rejectionIDs
            return Letter(
                id: ids.indices.contains(position) ? ids[position] : id(rejection, of: submission),
                rejection: rejection
            )
        }
        letters += refused.map { index in
            let event = submission.events[index]
            return Letter(
                id: id(ofRefused: event, of: submission),
                rejection: event.refusedByDatabase(index: index),
                event: EventJSON.encode(event)
            )
        }
        return letters
    }

    private static func insert(
        _ letters: [Letter],
        of submission: Submission,
        on connection: isolated PostgresConnection
    ) throws {
        guard !letters.isEmpty else { return }
        if !submission.rejectionIDs.isEmpty {
            // If the same lines of the same file were rejected before, the latest reason counts.
            try connection.execute(
                StoredSQL.deleteImportedRejections,
                [.int(Int64(submission.appNumber)), .textArray(letters.map(\.id.description))]
            )
        }
        let rejections = letters.map(\.rejection)
        try connection.execute(
            StoredSQL.insertRejections,
            [
                .int(Int64(submission.appNumber)),
                .timestamp(microseconds: submission.receivedAt.microseconds),
                .text(submission.keyPrefix),
                .textArray(rejections.map { storable($0.eventID ?? "") }),
                .textArray(rejections.map(\.code.rawValue)),
                .textArray(rejections.map { storable($0.field ?? "") }),
                .textArray(rejections.map { storable($0.message) }),
                .textArray(rejections.map { storable($0.redactedEvent) }),
                .textArray(letters.map(\.event)),
                .textArray(letters.map(\.id.description)),
            ]
        )
    }

    /// The id of a rejection's dead letter. It depends on the content alone: a submission that is delivered twice, for
    /// example from the spool, makes one dead letter.
    private static func id(_ rejection: Rejection, of submission: Submission) -> EventID {
        id(
            of: submission,
            "\(rejection.index)",
            rejection.code.rawValue,
            rejection.eventID ?? "",
            rejection.redactedEvent
        )
    }

    /// The id of a refused event's dead letter. It does not depend on the event's position, so a retried event that is
    /// refused again keeps its dead letter.
    static func id(ofRefused event: Event, of submission: Submission) -> EventID {
        id(of: submission, Rejection.Code.refused.rawValue, event.id.description)
    }

    private static func id(of submission: Submission, _ texts: String...) -> EventID {
        let names = ["tributary rejection", "\(submission.appNumber)", submission.keyPrefix]
        let time = "\(submission.receivedAt.microseconds)"
        return EventID(naming: (names + [time] + texts).map { Array($0.utf8) })
    }

    /// Drops the dead letters of people who have been erased since the submission was received.
    private static func dropErased(
        _ letters: inout [Letter],
        of submission: Submission,
        on connection: isolated PostgresConnection
    ) throws {
        let rows = try connection.query(
            StoredSQL.selectErasuresSince,
            [.int(Int64(submission.appNumber)), .timestamp(microseconds: submission.receivedAt.microseconds)]
        )
        guard rows.count > 0 else { return }
        let hashes = Set(try rows.map { try $0.bytes(0) })
        letters.removeAll { letter in
            EventKeys.all(inRejected: letter.rejection.redactedEvent).contains { keys in
                keys.owner.map { hashes.contains($0.digest) } ?? false
            }
        }
    }

    /// The text with `\u0141` in place of each character that is not ASCII, as JSON may write it.
    private static func escaped(_ text: String) -> String {
        text.utf16.reduce(into: "") { escaped, unit in
            if unit < 0x80 {
                escaped.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                escaped += unit.unicodeEscape
            }
        }
    }

    /// Replaces U+0000, which PostgreSQL's text cannot hold but a malformed event may.
    private static func storable(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(text.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 })
    }
}
