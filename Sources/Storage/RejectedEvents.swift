import Events
import Foundation
import InboundLinks
import Postgres

/// Keeps rejected events, redacted, with their reason: what becomes dead letters.
enum RejectedEvents {
    /// - Parameter refused: positions of the submission's events that PostgreSQL would not take.
    static func keep(
        _ submission: EventWriter.Submission,
        refused: [Int],
        on connection: isolated PostgresConnection
    ) throws {
        var letters = submission.rejections.enumerated().map { position, rejection in
            let ids = submission.rejectionIDs
            return (
                rejection: rejection, encoded: "", id: ids.indices.contains(position) ? ids[position].description : ""
            )
        }
        letters += refused.map { index in
            let event = submission.events[index]
            return (
                event.refusedByDatabase(index: index), Data(EventCoding.encode(event)).base64EncodedString(), ""
            )
        }
        guard !letters.isEmpty else { return }
        try dropErased(&letters, of: submission, on: connection)
        guard !letters.isEmpty else { return }
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
                .textArray(letters.map(\.encoded)),
                .textArray(letters.map(\.id)),
            ]
        )
    }

    /// Those of people who have been erased since they were received.
    private static func dropErased(
        _ letters: inout [(rejection: Rejection, encoded: String, id: String)],
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
