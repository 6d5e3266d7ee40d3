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
        let rejections = submission.rejections + refused.map { submission.events[$0].refusedByDatabase(index: $0) }
        guard !rejections.isEmpty else { return }
        let encoded =
            submission.rejections.map { _ in "" }
            + refused.map { Data(EventCoding.encode(submission.events[$0])).base64EncodedString() }
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
                .textArray(encoded),
            ]
        )
    }

    /// PostgreSQL's text holds no U+0000, which rubbish may.
    private static func storable(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(text.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 })
    }
}
