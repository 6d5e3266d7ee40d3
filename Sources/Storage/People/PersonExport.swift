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
        for kind in ["person", "event", "rejected_event", "spooled_event"] { counts[kind] = 0 }
    }

    mutating func run(
        on connection: isolated PostgresConnection,
        spools: SpoolFolder,
        progress: DeletionProgress.Handler
    ) throws {
        try writePerson()
        try writeEvents(on: connection, progress: progress)
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
                StoredSQL.exportPersonEvents,
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

    /// An event that waits in a spool, with every value that will be stored.
    private static func json(_ event: Event) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("record", "spooled_event")
            writer.member("event_id", event.id.description)
            writer.member("type", event.type.rawValue)
            writer.member("occurred_at", event.occurredAt.rfc3339)
            writer.member("received_at", event.receivedAt.rfc3339)
            writer.member("user_id", event.userID)
            writer.member("device_id", event.deviceID)
            writer.member("click_id", event.clickID)
            writer.member("platform", event.platform?.rawValue)
            write(event.content, to: &writer)
            writer.key("properties")
            if let properties = event.properties { writer.raw(properties) } else { writer.null() }
        }
        return writer.text
    }

    private static func write(_ content: Event.Content, to writer: inout JSONWriter) {
        switch content {
        case .inboundLink(let touch), .linkClick(let touch): write(touch, to: &writer)
        case .install(let install):
            if let limitAdTracking = install.limitAdTracking { writer.member("limit_ad_tracking", limitAdTracking) }
            if let referrer = install.referrer { writer.member("install_referrer", referrer) }
            if let link = install.link { write(link, to: &writer) }
        case .feedPost(let post):
            writer.member("outcome", post.outcome.rawValue)
            writer.member("post_id", post.postID)
            writer.member("refs", post.refs)
            writer.member("post_link", post.link)
            writer.member("composer", post.composer?.rawValue)
            writer.member("action_type", post.actionType)
            writer.member("object_id", post.objectID)
            if let code = post.errorCode { writer.member("error_code", code) }
            writer.member("error_message", post.errorMessage)
            writer.member("url", post.redactedCallback)
        case .conversion(let conversion):
            writer.member("goal", conversion.name)
            if let value = conversion.value {
                writer.key("value")
                writer.raw("\(value)")
                writer.member("currency", conversion.currency)
            }
        case .authentication(let login):
            writer.member("login_outcome", login.outcome.rawValue)
            if let code = login.errorCode { writer.member("error_code", code) }
            writer.member("error_message", login.errorMessage)
            writer.member("url", login.redactedCallback)
        }
    }

    private static func write(_ touch: Touch, to writer: inout JSONWriter) {
        let link = touch.link
        writer.columns(of: link)
        writer.member("clicked_at", link.clickedAt?.rfc3339)
        writer.key("link_details")
        if let details = link.details { writer.raw(details) } else { writer.null() }
        writer.member("url", link.redactedURL)
        writer.member("post_id", touch.postID)
        writer.member("short_link", touch.shortLink)
    }
}
