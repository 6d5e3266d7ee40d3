import Events
import InboundLinks
import Time
import Timelines

/// What one person did that counts in one group.
struct Evidence: BitwiseCopyable {
    /// The number of the group; later the position of its row.
    var group: Int32 = 0
    /// A number that only this person has.
    var person: UInt32 = 0
    var events: UInt32 = 1
    /// The position of the last platform that is known of the person; −1 for none.
    var platform: Int8 = -1
    /// Microseconds since 1970, of the first and of the last of these events.
    var first: Int64
    var last: Int64
    /// In millionths of the app's currency × `CreditUnits`.
    var value: Int128
    /// One of the person's events, by which the person's id is found.
    private var eventTime: Int64
    private var idHigh: UInt64
    private var idLow: UInt64
    /// The code of the last country that is known of the person; negative for none.
    var country = Code.none.rawValue

    init(_ event: TimelineEvent, first: Timestamp, last: Timestamp, value: Int128 = 0) {
        self.first = first.microseconds
        self.last = last.microseconds
        self.value = value
        eventTime = event.occurredAt.microseconds
        idHigh = event.id.high
        idLow = event.id.low
    }

    var address: EventAddress {
        EventAddress(event: EventID(high: idHigh, low: idLow), time: Timestamp(microseconds: eventTime))
    }

    /// Adds evidence of the same person.
    static func += (evidence: inout Evidence, other: Evidence) {
        if other.first < evidence.first {
            // Its event, too: a list in the order of time then reads the table in its order.
            (evidence.first, evidence.eventTime) = (other.first, other.eventTime)
            (evidence.idHigh, evidence.idLow) = (other.idHigh, other.idLow)
        }
        evidence.last = max(evidence.last, other.last)
        evidence.events &+= other.events
        evidence.value += other.value
    }

    /// The order of a list, but for people of one instant.
    static func precedes(_ one: Evidence, _ other: Evidence) -> Bool {
        one.group == other.group ? one.first < other.first : one.group < other.group
    }
}

/// Is told by a fold who counts in which group.
protocol EvidenceSink {
    /// The figure whose people are wanted; nil if nobody asks.
    var wanted: PeopleFigure? { get }

    mutating func note(_ group: PeopleGroup, _ evidence: Evidence)
}

extension EvidenceSink {
    /// Something at one instant that counts in a group.
    ///
    /// - Parameter value: the part of a conversion's value that counts there, in millionths × `CreditUnits`.
    @inline(__always)
    mutating func note(
        _ figure: PeopleFigure,
        in group: @autoclosure () -> PeopleGroup,
        at time: Timestamp,
        _ event: @autoclosure () -> TimelineEvent,
        value: Int128 = 0
    ) {
        guard wanted == figure else { return }
        note(group(), Evidence(event(), first: time, last: time, value: value))
    }

    /// An install or a conversion of which a group gets credit.
    @inline(__always)
    mutating func note(
        _ credited: CreditedEvent,
        units: Int64,
        in group: @autoclosure () -> PeopleGroup,
        _ event: @autoclosure () -> TimelineEvent
    ) {
        guard units > 0 else { return }
        note(
            credited.isInstall ? .installs : .conversions,
            in: group(),
            at: credited.time,
            event(),
            value: Int128(units) * Int128(credited.value)
        )
    }
}

extension EvidenceSink {
    /// A post that counts for its poster, if it was posted.
    @inline(__always)
    mutating func note(
        _ post: TimelineEvent,
        _ outcome: PostOutcome,
        in group: @autoclosure () -> PeopleGroup
    ) {
        guard outcome == .posted else { return }
        note(.posters, in: group(), at: post.occurredAt, post)
    }
}

extension EvidenceSink {
    /// The same in two groups: most things count in a row and in `total`.
    @inline(__always)
    mutating func note(
        _ figure: PeopleFigure,
        in one: @autoclosure () -> PeopleGroup,
        and other: @autoclosure () -> PeopleGroup,
        at time: Timestamp,
        _ event: @autoclosure () -> TimelineEvent
    ) {
        note(figure, in: one(), at: time, event())
        note(figure, in: other(), at: time, event())
    }

    /// The same in two groups.
    @inline(__always)
    mutating func note(
        _ credited: CreditedEvent,
        units: Int64,
        in one: @autoclosure () -> PeopleGroup,
        and other: @autoclosure () -> PeopleGroup,
        _ event: @autoclosure () -> TimelineEvent
    ) {
        note(credited, units: units, in: one(), event())
        note(credited, units: units, in: other(), event())
    }
}

/// For a report whose people nobody asks for.
struct NoEvidence: EvidenceSink {
    @inline(__always) var wanted: PeopleFigure? { nil }
    @inline(__always) mutating func note(_ group: PeopleGroup, _ evidence: Evidence) {}
}

/// Collects the evidence of a list, person by person.
struct PeopleEvidence: EvidenceSink {
    let wanted: PeopleFigure?
    /// By number, in the order of their first appearance.
    private var numbers: [PeopleGroup: Int32] = [:]
    /// By number: the place in `own`, or −1.
    private var places: [Int32] = []
    /// The evidence of the current person.
    private var own: [Evidence] = []
    private var people: UInt32 = 0
    private(set) var store = EvidenceStore()
    /// By their codes.
    var countries: [String] = []

    init(of figure: PeopleFigure) {
        wanted = figure
    }

    /// How many bytes the groups take.
    var size: Int { numbers.heldSize + places.heldSize }

    mutating func note(_ group: PeopleGroup, _ evidence: Evidence) {
        let number = numbers[group] ?? newNumber(of: group)
        let place = places[Int(number)]
        guard place < 0 else {
            own[Int(place)] += evidence
            return
        }
        places[Int(number)] = Int32(truncatingIfNeeded: own.count)
        var evidence = evidence
        evidence.group = number
        evidence.person = people
        own.append(evidence)
    }

    private mutating func newNumber(of group: PeopleGroup) -> Int32 {
        let number = Int32(truncatingIfNeeded: numbers.count)
        numbers[group] = number
        places.append(-1)
        return number
    }

    /// Ends a person, after noting what the last of the person's events in the range say of the device.
    mutating func end(_ person: borrowing PersonTimeline, in range: ReportRange) {
        if !own.isEmpty {
            var (platform, country) = (Int8(-1), Code.none)
            for position in person.events.indices {
                let event = person.events[position]
                guard range.contains(event.occurredAt) else { continue }
                if let known = event.platform { platform = Int8(truncatingIfNeeded: known.position) }
                if !event.country.isNone { country = event.country }
            }
            for place in own.indices { (own[place].platform, own[place].country) = (platform, country.rawValue) }
        }
        end(isPerson: person.isPerson)
    }

    /// Ends a person. What an anonymous event showed is dropped: it belongs to nobody.
    mutating func end(isPerson: Bool) {
        for evidence in own { places[Int(evidence.group)] = -1 }
        if isPerson { for evidence in own { store.append(evidence) } }
        own.removeAll(keepingCapacity: true)
        people &+= 1
    }

    /// For each number of a group, the position of its row; −1 if it is in none.
    ///
    /// - Parameter all: all rows of the report, also those that are not listed.
    func positions(of rows: [PeopleRow], among all: [PeopleRow]) -> [Int32] {
        var positions = [Int32](repeating: -1, count: numbers.count)
        let others = Dictionary(
            rows.enumerated().flatMap { position, row in row.othersPeriods.map { ($0, Int32(position)) } },
            uniquingKeysWith: { first, _ in first }
        )
        if !others.isEmpty {
            let known = Set(all.flatMap(\.groups))
            for (group, number) in numbers where !known.contains(group) {
                if let period = group.namedPeriod, let position = others[period] { positions[Int(number)] = position }
            }
        }
        for (position, row) in rows.enumerated() {
            for group in row.groups {
                guard let number = numbers[group] else { continue }
                positions[Int(number)] = Int32(truncatingIfNeeded: position)
            }
        }
        return positions
    }
}
