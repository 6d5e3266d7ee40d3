package import Events
package import Time
import Postgres

/// A dead letter with an event of a person.
package struct PersonDeadLetter: Equatable, Sendable {
    /// The dead letter's own id.
    package var id: EventID
    package var receivedAt: Timestamp
    package var code: String
    package var field: String?
    package var message: String
    /// The rejected event as it was sent, redacted.
    package var event: String

    private static let lettersAtOnce = 1_000

    /// Calls `body` with each dead letter of the person, in the order of receipt. Reads all dead letters of the app.
    static func forEach(
        of person: Person,
        on connection: isolated PostgresConnection,
        progress: DeletionProgress.Handler,
        _ body: (PersonDeadLetter) throws -> Void
    ) throws {
        let ownership = PersonOwnership(person.keys)
        var position: [PostgresValue] = [.timestamp(microseconds: .min), .uuid(high: 0, low: 0)]
        var done = 0
        while true {
            progress(DeletionProgress("searching rejected events", done: done))
            let rows = try connection.query(
                StoredSQL.readRejectedEvents,
                [.int(Int64(person.app.number))] + position + [.int(Int64(lettersAtOnce))]
            )
            guard rows.count > 0 else { return }
            for row in rows {
                let letter = PersonDeadLetter(
                    id: try row.eventID(0),
                    receivedAt: Timestamp(microseconds: try row.timestamp(1)),
                    code: try row.text(2),
                    field: try row.optionalText(3),
                    message: try row.text(4),
                    event: try row.text(5)
                )
                if ownership.owns(rejected: letter.event) { try body(letter) }
                position = [
                    .timestamp(microseconds: letter.receivedAt.microseconds),
                    .uuid(high: letter.id.high, low: letter.id.low),
                ]
            }
            done += rows.count
        }
    }
}
