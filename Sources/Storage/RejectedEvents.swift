import Events
import InboundLinks
import Postgres

/// Dead letters: rejected events, redacted, with their reason.
enum RejectedEvents {
    static func keep(
        _ rejections: [Rejection],
        of submission: EventWriter.Submission,
        on connection: isolated PostgresConnection
    ) throws {
        guard !rejections.isEmpty else { return }
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
            ]
        )
    }

    /// PostgreSQL's text holds no U+0000, which rubbish may.
    private static func storable(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(text.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 })
    }
}
