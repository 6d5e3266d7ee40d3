import Events
import InboundLinks
package import Postgres
package import Storage
import Time

extension PersonTimeline {
    /// Reads one person by indexes, inside the caller's transaction, whatever the size of the app: installs,
    /// conversions and touches, without refs, posts, amounts and what else credits do not depend on.
    package init(
        reading person: Person,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection
    ) throws {
        self.init()
        begin(isPerson: true)
        let rows = try connection.query(
            TimelineSQL.person,
            [.int(Int64(person.app.number))] + PersonKey.Kind.allCases.map { .textArray(person.ids($0)) }
        )
        for row in rows {
            guard let type = EventType(rawValue: try row.text(0)) else {
                throw TimelineError.unknownLabel("event_type")
            }
            let id = try row.uuid(2)
            var event = TimelineEvent(
                occurredAt: Timestamp(microseconds: try row.timestamp(1)),
                id: EventID(high: id.high, low: id.low),
                type: type
            )
            event.channel = try row.optionalText(3).map { label throws(TimelineError) in
                guard let channel = Channel(rawValue: label) else { throw .unknownLabel("channel") }
                return channel
            }
            event.authenticated = try row.optionalBool(4) ?? false
            event.deferred = try row.optionalBool(5) ?? false
            event.clickedAt = try row.optionalTimestamp(6).map { Timestamp(microseconds: $0) }
            event.goal = try row.optionalText(7).map { dictionary.code(of: $0, as: .goal) } ?? .none
            event.hasShortLink = try row.bool(8)
            event.tappedTarget = try row.optionalText(10).map(TimelineEvent.tappedTarget)
            event.openedClick = try row.optionalUUID(9).map { EventID(high: $0.high, low: $0.low) }
            event.isInjected = try row.optionalBool(11) ?? false
            if try row.optionalBool(12) ?? false { event.sentBy = .app }
            append(event)
        }
        finish()
    }
}
