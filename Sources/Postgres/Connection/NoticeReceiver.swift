import CLibpq
import Logging

/// Receives the server's notices: messages that do not belong to a result.
final class NoticeReceiver {
    private let logger: Logger?
    /// Whether the server has ended the session. An idle session learns this from a notice.
    private(set) var sessionHasEnded = false

    init(logger: Logger?) {
        self.logger = logger
    }

    func receive(_ result: OpaquePointer) {
        func field(_ code: Int) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        let severity = field(postgres_field_severity) ?? "NOTICE"
        if severity == "FATAL" || severity == "PANIC" {
            sessionHasEnded = true
        }
        logger?.debug(
            "PostgreSQL sent a notice",
            metadata: [
                "severity": "\(severity)",
                "sqlstate": "\(field(postgres_field_sqlstate) ?? "")",
                "notice": "\(field(postgres_field_message) ?? "")",
                "detail": "\(field(postgres_field_detail) ?? "")",
            ]
        )
    }
}
