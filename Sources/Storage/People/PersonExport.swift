import Events
import InboundLinks
import Time
import JSONReading
import Postgres

/// Writes everything that is stored of a person as JSON objects. The field `record` names the kind of each.
struct PersonExport {
    let person: Person
    let write: (String) throws -> Void
    private(set) var counts = DeletionCounts()

    init(person: Person, write: @escaping (String) throws -> Void) {
        self.person = person
        self.write = write
        for kind in ["person", "event", "webhook_message", "rejected_event", "spooled_event"] { counts[kind] = 0 }
    }

    mutating func run(
        on connection: isolated PostgresConnection,
        spools: SpoolFolder,
        progress: DeletionProgress.Handler
    ) throws {
        try writePerson()
        try writeEvents(on: connection, progress: progress)
        try writeMessages(on: connection)
        try PersonDeadLetter.forEach(of: person, on: connection, progress: progress) { letter in
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("record", "rejected_event")
                writer.member("rejection_id", letter.id.description)
                writer.member("received_at", letter.receivedAt.rfc3339)
                writer.member("code", letter.code)
                writer.member("field", letter.field)
                writer.member("message", letter.message)
                writer.member("event", letter.event)
            }
            try add("rejected_event", writer.text)
        }
        try SpooledPerson(person).forEach(in: spools) { finding in
            switch finding {
            case .event(let event): try add("spooled_event", Self.json(event))
            case .rejection(let rejection):
                var writer = JSONWriter()
                writer.object { writer in
                    writer.member("record", "rejected_event")
                    writer.member("code", rejection.code.rawValue)
                    writer.member("field", rejection.field)
                    writer.member("message", rejection.message)
                    writer.member("event", rejection.redactedEvent)
                }
                try add("rejected_event", writer.text)
            }
        }
    }

    private mutating func add(_ kind: String, _ line: String) throws {
        try write(line)
        counts[kind] += 1
    }

    private mutating func writePerson() throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("record", "person")
            writer.member("app_id", person.app.profile.id)
            writer.member("user_ids", person.ids(.user))
            writer.member("device_ids", person.ids(.device))
            writer.member("click_ids", person.ids(.click))
        }
        try add("person", writer.text)
    }

    /// Reads month by month through COPY, so that memory stays flat.
    private mutating func writeEvents(
        on connection: isolated PostgresConnection,
        progress: DeletionProgress.Handler
    ) throws {
        try EventMonth.forEach(on: connection, stage: "reading events", progress: progress) { month in
            let statement = BoundStatement(
                StoredSQL.exportPersonEvents.replacing(":event_columns", with: EventColumn.toldList),
                [
                    "app_number": String(person.app.number),
                    "from": month.from.rfc3339,
                    "to": month.to.rfc3339,
                    "users": BoundStatement.array(person.ids(.user)),
                    "devices": BoundStatement.array(person.ids(.device)),
                    "clicks": BoundStatement.array(person.ids(.click)),
                ]
            )
            try connection.copyOut(statement.copyOut) { row in
                try add("event", try row.nextText())
            }
        }
    }

    /// What webhooks have still to deliver, and what could not be delivered.
    private mutating func writeMessages(on connection: isolated PostgresConnection) throws {
        let rows = try connection.query(
            StoredSQL.exportWebhookMessages,
            [.int(Int64(person.app.number)), .textArray(person.keys.map(\.text))]
        )
        for row in rows {
            var writer = JSONWriter()
            try writer.object { writer in
                writer.member("record", "webhook_message")
                writer.member("is_given_up", try row.bool(1))
                writer.key("message")
                writer.raw(try row.text(0))
            }
            try add("webhook_message", writer.text)
        }
    }

    /// An event that waits in a spool, with every value that will be stored.
    private static func json(_ event: Event) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("record", "spooled_event")
            for column in EventColumn.all where column.told != nil { writer.member(column, of: event) }
        }
        return writer.text
    }
}
