import Events
import Foundation
import Postgres
import Time

/// Keeps rejected events, redacted, with their reason: what becomes dead letters.
enum DeadLetterWriter {
    private struct Letter {
        var id: EventID
        var rejection: Rejection
        /// Empty where the event could not be read.
        var event: [UInt8] = []
    }

    /// - Parameter refused: positions of the submission's events that PostgreSQL would not take.
    static func keep(
        _ submission: EventWriter.Submission,
        refused: [Int],
        on connection: isolated PostgresConnection
    ) throws {
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
                event: EventCoding.encode(event)
            )
        }
        guard !letters.isEmpty else { return }
        try dropErased(&letters, of: submission, on: connection)
        guard !letters.isEmpty else { return }
        if !submission.rejectionIDs.isEmpty {
            // The same lines of the same file: their latest reason counts.
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
                .textArray(letters.map { Data($0.event).base64EncodedString() }),
                .textArray(letters.map(\.id.description)),
            ]
        )
    }

    /// A submission may be delivered more than once, from the spool above all, and makes each letter once.
    private static func id(_ rejection: Rejection, of submission: EventWriter.Submission) -> EventID {
        id(
            of: submission,
            "\(rejection.index)",
            rejection.code.rawValue,
            rejection.eventID ?? "",
            rejection.redactedEvent
        )
    }

    /// An event that is retried and refused again has the letter that it had, wherever it stands in its submission.
    static func id(ofRefused event: Event, of submission: EventWriter.Submission) -> EventID {
        id(of: submission, Rejection.Code.refused.rawValue, event.id.description)
    }

    private static func id(of submission: EventWriter.Submission, _ texts: String...) -> EventID {
        let names = ["tributary rejection", "\(submission.appNumber)", submission.keyPrefix]
        let time = "\(submission.receivedAt.microseconds)"
        return EventID(naming: (names + [time] + texts).map { Array($0.utf8) })
    }

    /// Those of people who have been erased since they were received.
    private static func dropErased(
        _ letters: inout [Letter],
        of submission: EventWriter.Submission,
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
                keys.owner.map { hashes.contains($0.hash(app: submission.appNumber)) } ?? false
            }
        }
    }

    /// PostgreSQL's text holds no U+0000, which rubbish may.
    private static func storable(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(text.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 })
    }
}
