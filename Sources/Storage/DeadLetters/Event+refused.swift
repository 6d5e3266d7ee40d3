import Events
import InboundLinks
import Time
import JSONReading

extension Event {
    /// The rejection of an event that passed every check and that PostgreSQL refused.
    func refusedByDatabase(index: Int) -> Rejection {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", type.rawValue)
            writer.member("event_id", id.description)
            writer.member("occurred_at", occurredAt.rfc3339)
            writer.member("user_id", userID)
            writer.member("device_id", deviceID)
            writer.member("click_id", clickID)
        }
        return Rejection(
            index: index,
            eventID: id.description,
            code: .refused,
            field: nil,
            message: "the database refused this event",
            redactedEvent: writer.text
        )
    }
}
