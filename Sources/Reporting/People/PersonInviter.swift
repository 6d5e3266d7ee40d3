import Events
import JSONReading
import Postgres
package import Storage
package import Time
import Timelines

/// Somebody in the chain of invitations above a person, by the definitions of the report `generations`.
package struct PersonInviter: Sendable {
    /// The longest chain that is followed.
    package static let limit = 20
    /// As many events of these people are read at most, before the last of them.
    private static let eventLimit = 20_000

    package let key: PersonKey
    /// The time of the first install; nil for somebody who never installed.
    package let installedAt: Timestamp?

    func write(to json: inout JSONWriter) {
        for kind in PersonKey.Kind.allCases { json.member("\(kind.rawValue)_id", kind == key.kind ? key.id : nil) }
        json.member("installed_at", installedAt?.rfc3339)
    }

    /// Follows a chain upwards inside the caller's transaction, each person by indexes.
    ///
    /// - Returns: from the person's inviter up to the first one; at most ``limit``, and fewer if they have very many
    ///   events.
    static func chain(
        above person: Person,
        _ timeline: PersonTimeline,
        within lookback: ReportDuration,
        on connection: isolated PostgresConnection
    ) throws -> [PersonInviter] {
        var timeline = timeline
        var chain = [PersonInviter(key: person.root, installedAt: installTime(of: timeline))]
        var read = 0
        while chain.count <= limit, read <= eventLimit,
            let poster = try poster(for: timeline, of: person.app, within: lookback, on: connection)
        {
            let next = try Person.stored(with: poster, in: person.app, on: connection)
            if let entry = chain.firstIndex(where: { $0.key == next.root }) {
                // A circle begins with its earliest install.
                let times = chain[entry...].map { $0.installedAt?.microseconds ?? .max }
                let first = times.indices.min { times[$0] < times[$1] } ?? 0
                chain.removeSubrange((entry + first + 1)...)
                break
            }
            timeline = try PersonTimeline(reading: next, dictionary: TimelineDictionary(), on: connection)
            read += timeline.events.count
            chain.append(PersonInviter(key: next.root, installedAt: installTime(of: timeline)))
        }
        return Array(chain.dropFirst())
    }

    private static func installTime(of timeline: PersonTimeline) -> Timestamp? {
        timeline.countedInstalls.first.map { timeline.events[$0].occurredAt }
    }

    /// Who posted what the credit of a person's first install goes to.
    private static func poster(
        for timeline: PersonTimeline,
        of app: App,
        within lookback: ReportDuration,
        on connection: isolated PostgresConnection
    ) throws -> PersonKey? {
        guard let position = timeline.countedInstalls.first else { return nil }
        let install = CreditedEvent(
            position: position,
            time: timeline.events[position].occurredAt,
            isInstall: true,
            value: 0
        )
        guard let touch = timeline.lastTouch(before: install, within: lookback.microseconds) else { return nil }
        var credited = [CreditedTouch(touch, units: CreditUnits.one)]
        try CreditedTouch.addDetails(to: &credited, of: timeline, in: app, on: connection)
        return credited[0].posterKey
    }
}
