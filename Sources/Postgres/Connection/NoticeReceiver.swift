import CLibpq
import Logging

/// Takes the messages that the server sends beside results.
final class NoticeReceiver {
    private let logger: Logger?
    /// An idle session that the server ends gets its farewell as a notice.
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
            ]
        )
    }
}
