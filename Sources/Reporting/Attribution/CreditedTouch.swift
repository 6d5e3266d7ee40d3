import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// A touch that gets credit for an event, with what an answer says of it (docs/attributions.md).
struct CreditedTouch: Equatable, Sendable {
    var touch: TimelineTouch
    /// The part of the event's credit, in `CreditUnits`.
    var units: Int64
    /// After the story join.
    var refs: [String] = []
    /// Its short link, `host/slug`.
    var link: String?
    var targetURL: String?
    /// The post that the touch came from.
    var postID: String?
    var poster = EventKeys()

    init(_ touch: TimelineTouch, units: Int64) {
        self.touch = touch
        self.units = units
    }

    /// Reads the details of touches of one person.
    static func addDetails(
        to touches: inout [CreditedTouch],
        of person: borrowing PersonTimeline,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        let times = touches.map { person.events[$0.touch.event].occurredAt }
        guard let first = times.min(), let last = times.max() else { return }
        let rows = try connection.query(
            ReportSQL.selectCreditedTouches,
            [
                .int(Int64(app.number)), .textArray(times.map(\.rfc3339)),
                .textArray(touches.map { person.events[$0.touch.event].id.description }),
                .timestamp(microseconds: first.microseconds), .timestamp(microseconds: last.microseconds),
            ]
        )
        for row in rows {
            let id = try row.uuid(0)
            let event = EventID(high: id.high, low: id.low)
            for position in touches.indices where person.events[touches[position].touch.event].id == event {
                touches[position].refs = try row.optionalTextArray(1) ?? []
                touches[position].targetURL = try row.optionalText(2)
                touches[position].postID = try row.optionalText(3)
                touches[position].link = try row.optionalText(6)
                touches[position].poster = EventKeys(
                    userID: try row.optionalText(4),
                    deviceID: try row.optionalText(5)
                )
            }
        }
    }
}
