import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// A touch that gets credit for an event, with what an answer says of it (docs/attributions.md).
package struct CreditedTouch: Equatable, Sendable {
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

    /// What the event of a touch says of it.
    private struct Details {
        var refs: [String]
        var targetURL: String?
        var postID: String?
        var poster: EventKeys
        var link: String?
    }

    /// Reads the details of touches of one person.
    static func addDetails(
        to touches: inout [CreditedTouch],
        of person: borrowing PersonTimeline,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        let positions = touches.flatMap { [$0.touch.event] + ($0.touch.click.map { [$0] } ?? []) }
        let details = try details(of: positions.map { person.events[$0] }, in: app, on: connection)
        for position in touches.indices {
            let touch = touches[position].touch
            let click = touch.click.flatMap { details[person.events[$0].id] }
            guard let own = details[person.events[touch.event].id] else { continue }
            touches[position].refs = own.refs.isEmpty ? click?.refs ?? [] : own.refs
            touches[position].targetURL = own.targetURL ?? click?.targetURL
            touches[position].link = own.link ?? click?.link
            let post = own.postID == nil && own.poster.isEmpty ? click ?? own : own
            touches[position].postID = post.postID
            touches[position].poster = post.poster
        }
    }

    private static func details(
        of events: [TimelineEvent],
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> [EventID: Details] {
        let times = events.map(\.occurredAt)
        guard let first = times.min(), let last = times.max() else { return [:] }
        let rows = try connection.query(
            ReportSQL.selectCreditedTouches,
            [
                .int(Int64(app.number)), .textArray(times.map(\.rfc3339)), .textArray(events.map(\.id.description)),
                .timestamp(microseconds: first.microseconds), .timestamp(microseconds: last.microseconds),
            ]
        )
        var details: [EventID: Details] = [:]
        for row in rows {
            let id = try row.uuid(0)
            details[EventID(high: id.high, low: id.low)] = Details(
                refs: try row.optionalTextArray(1) ?? [],
                targetURL: try row.optionalText(2),
                postID: try row.optionalText(3),
                poster: EventKeys(userID: try row.optionalText(4), deviceID: try row.optionalText(5)),
                link: try row.optionalText(6)
            )
        }
        return details
    }
}
