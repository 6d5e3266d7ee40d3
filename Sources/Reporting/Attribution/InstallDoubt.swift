import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// Why a person's first install is doubtful, by the rules of the report `generations` (docs/attributions.md, *Doubt*).
///
/// Never `burst`: nothing leads from a post to the installs that it brought, so that would take the timelines of all
/// who installed within the hour.
struct InstallDoubt {
    /// What must be known of a person.
    struct Person {
        let key: PersonKey
        /// Counted or not, in the order of time; the first is the one that may be doubtful.
        fileprivate let installs: [EventAddress]
        /// The touch that gets its credit.
        fileprivate let touch: CreditedTouch?
        fileprivate let source: CreditedTouch.Source?

        /// - Parameter key: the person's root.
        init(_ key: PersonKey, _ timeline: borrowing PersonTimeline, within lookback: ReportDuration) {
            self.key = key
            var installs: [EventAddress] = []
            for position in timeline.events.indices {
                guard case .install = timeline.events[position].type else { continue }
                let event = timeline.events[position]
                installs.append(EventAddress(event: event.id, time: event.occurredAt))
                if installs.count == InstallDoubt.installLimit { break }
            }
            self.installs = installs
            guard let first = timeline.countedInstalls.first else {
                (touch, source) = (nil, nil)
                return
            }
            let install = CreditedEvent(
                position: first,
                time: timeline.events[first].occurredAt,
                isInstall: true,
                value: 0
            )
            let touch = timeline.lastTouch(before: install, within: lookback.microseconds)
            self.touch = touch.map { CreditedTouch($0, units: CreditUnits.one) }
            source = touch.map { CreditedTouch.Source($0, of: timeline) }
        }
    }

    /// How many installs of a person are looked at, the earliest.
    private static let installLimit = 50
    /// How many installs from a device are looked at, those nearest before the person's, and those nearest after it.
    private static let deviceLimit: Int64 = 500

    private let person: PersonKey
    /// Who has an install from a device of the person's installs.
    private var sharers: Set<PersonKey> = []
    private(set) var reasons: DoubtfulInstalls.Reasons = []

    private init(_ person: PersonKey) { self.person = person }

    /// Why credit for an event of the person is doubtful: the poster is the person or shares a device, or the touch was
    /// too soon before the install.
    ///
    /// - Parameters:
    ///   - touch: with its details.
    ///   - time: that of the event, if it is an install.
    func reasons(against touch: CreditedTouch, ofInstallAt time: Timestamp?) -> DoubtfulInstalls.Reasons {
        var reasons: DoubtfulInstalls.Reasons = []
        if let poster = touch.posterKey, poster == person || sharers.contains(poster) { reasons.insert(.own) }
        if let time, DoubtfulInstalls.isFast(touch.touch, installedAt: time) { reasons.insert(.speed) }
        return reasons
    }

    /// Tells touches that get credit for one event of the person why that is doubtful.
    func mark(_ touches: inout [CreditedTouch], ofInstallAt time: Timestamp?) {
        for position in touches.indices {
            touches[position].doubt = reasons(against: touches[position], ofInstallAt: time)
        }
    }

    /// Reads the doubts about some people inside the caller's transaction.
    ///
    /// - Returns: one for each of them.
    static func read(
        about people: [Person],
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> [InstallDoubt] {
        var doubts = people.map { InstallDoubt($0.key) }
        let installs = people.enumerated().flatMap { number, person in
            person.installs.enumerated().map { (person: number, isFirst: $0.offset == 0, address: $0.element) }
        }
        let times = installs.map(\.address.time)
        guard let first = times.min(), let last = times.max() else { return doubts }
        let rows = try connection.query(
            ReportSQL.selectDevicePeople,
            [
                .int(Int64(app.number)), .textArray(installs.indices.map { String($0) }),
                .textArray(times.map(\.rfc3339)), .textArray(installs.map(\.address.event.description)),
                .timestamp(microseconds: first.microseconds), .timestamp(microseconds: last.microseconds),
                .int(deviceLimit),
            ]
        )
        for row in rows {
            let number = try row.int(0)
            guard installs.indices.contains(number), let sharer = PersonKey(text: try row.text(1)) else { continue }
            let install = installs[number]
            doubts[install.person].sharers.insert(sharer)
            if install.isFirst, try row.bool(2), sharer != people[install.person].key {
                doubts[install.person].reasons.insert(.device)
            }
        }
        var touches = people.compactMap(\.touch)
        try CreditedTouch.addDetails(to: &touches, from: people.compactMap(\.source), in: app, on: connection)
        var rest = touches[...]
        for number in people.indices where people[number].touch != nil {
            guard let touch = rest.popFirst() else { break }
            let time = people[number].installs.first?.time
            doubts[number].reasons.formUnion(doubts[number].reasons(against: touch, ofInstallAt: time))
        }
        return doubts
    }
}
