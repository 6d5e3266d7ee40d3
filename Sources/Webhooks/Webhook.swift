package import Cryptography
import InboundLinks
import Postgres
import Storage
package import Time

/// Where an app wants to hear to whom its installs or conversions are credited (docs/webhooks.md).
package struct Webhook: Sendable {
    /// `wh_`, then 12 letters and digits.
    package var id: String
    package var appID: String
    package var url: String
    /// What is told: parameters of the report `attribution`.
    package var parameters: [(name: String, value: String)]
    /// The time from the receipt of an event to the last word about it.
    package var settle: Duration
    /// The newest first. The second one is nil unless the secret was changed within the last day.
    package var secret: String
    package var previousSecret: String?
    /// All events of transactions below it have been looked at.
    var position: Int64
    /// The number of the next word.
    var nextNumber: Int64
    /// Nil: it is active.
    package var pauseReason: String?
    package var createdAt: Timestamp

    package var secrets: [SigningSecret] { [secret, previousSecret].compactMap { $0.flatMap(SigningSecret.init) } }

    /// As the log of changes shows them.
    var changeFields: ChangeLog.Fields {
        [
            ("url", .string(ChangeLog.shownAddress(url))),
            ("parameters", .list(parameters.map { "\($0.name)=\($0.value)" })),
            ("settle_seconds", .number(settle.components.seconds)),
        ]
    }

    static func newID() -> String { "wh_" + random(12) }

    /// What identifies a word for its receiver: the same for every attempt. It is random, because numbers come again in
    /// a database that was restored.
    static func newMessageID() -> String { "msg_" + random(20) }

    private static func random(_ count: Int) -> String {
        let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")
        var random = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// - Parameter row: of `select_webhooks.sql`.
    init(_ row: PostgresRow) throws {
        id = try row.text(0)
        appID = try row.text(1)
        url = try row.text(2)
        parameters = zip(try row.textArray(3), try row.textArray(4)).map { (name: $0, value: $1) }
        settle = .seconds(try row.int64(5))
        secret = try row.text(6)
        previousSecret = try row.optionalText(7)
        position = try row.int64(8)
        nextNumber = try row.int64(9)
        pauseReason = try row.optionalText(10)
        createdAt = Timestamp(microseconds: try row.timestamp(11))
    }
}

/// A word that waits or was given up.
package struct WaitingWord: Sendable {
    package var number: Int64
    package var eventID: String
    package var type: String
    package var createdAt: Timestamp
    package var attempts: Int
    /// Nil if it was given up.
    package var nextAttemptAt: Timestamp?
    package var lastError: String?
    package var diedAt: Timestamp?
}
