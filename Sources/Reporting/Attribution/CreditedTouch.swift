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
    /// Who sent its event.
    var sentBy = EventSender.server
    /// After the story join.
    var refs: [String] = []
    /// Its short link, `host/slug`.
    package var link: String?
    var targetURL: String?
    /// The post that the touch came from.
    var postID: String?
    var poster = EventKeys()
    /// The person who posted it.
    var posterKey: PersonKey?
    /// Why its part of the credit is doubtful.
    var doubt: DoubtfulInstalls.Reasons = []

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
        var posterKey: PersonKey?
        var link: String?
    }

    /// The events that say something of a touch.
    struct Source {
        var own: TimelineEvent
        /// The click that it came from.
        var click: TimelineEvent?

        init(_ touch: TimelineTouch, of person: borrowing PersonTimeline) {
            own = person.events[touch.event]
            click = touch.click.map { person.events[$0] }
        }
    }

    /// Reads the details of touches of one person.
    static func addDetails(
        to touches: inout [CreditedTouch],
        of person: borrowing PersonTimeline,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        let sources = touches.map { Source($0.touch, of: person) }
        try addDetails(to: &touches, from: sources, in: app, on: connection)
    }

    /// Reads the details of touches of several people.
    ///
    /// - Parameters:
    ///   - sources: one for each touch.
    ///   - targetLimit: longer target URLs are cut, in characters.
    static func addDetails(
        to touches: inout [CreditedTouch],
        from sources: [Source],
        targetLimit: Int64? = nil,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        let details = try details(
            of: sources.flatMap { [$0.own] + ($0.click.map { [$0] } ?? []) },
            targetLimit: targetLimit,
            in: app,
            on: connection
        )
        for (position, source) in sources.enumerated() {
            touches[position].sentBy = source.own.sentBy
            let click = source.click.flatMap { details[$0.id] }
            guard let own = details[source.own.id] else { continue }
            touches[position].refs = own.refs.isEmpty ? click?.refs ?? [] : own.refs
            touches[position].targetURL = own.targetURL ?? click?.targetURL
            touches[position].link = own.link ?? click?.link
            let post = own.postID == nil && own.poster.isEmpty ? click ?? own : own
            touches[position].postID = post.postID
            touches[position].poster = post.poster
            touches[position].posterKey = own.posterKey ?? click?.posterKey
        }
    }

    private static func details(
        of events: [TimelineEvent],
        targetLimit: Int64?,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> [EventID: Details] {
        // Many installs and conversions may share a touch.
        var known: Set<EventID> = []
        let events = events.filter { known.insert($0.id).inserted }
        let times = events.map(\.occurredAt)
        guard let first = times.min(), let last = times.max() else { return [:] }
        let rows = try connection.query(
            ReportSQL.selectCreditedTouches,
            [
                .int(Int64(app.number)), .textArray(times.map(\.rfc3339)), .textArray(events.map(\.id.description)),
                .timestamp(microseconds: first.microseconds), .timestamp(microseconds: last.microseconds),
                targetLimit.map { .int($0) } ?? .null,
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
                posterKey: PersonKey(text: try row.optionalText(7)),
                link: try row.optionalText(6)
            )
        }
        return details
    }
}
