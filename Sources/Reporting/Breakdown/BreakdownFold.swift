import Events
import Timelines

/// Counts the touches of each group, in one pass.
struct BreakdownFold: LimitedFold, PeopleFold {
    /// There may be millions of groups, most of them without credits. So these are kept apart.
    struct Group {
        var touches = TouchCounts()
        /// The position of the group's credits; −1: it has none.
        var credits: Int32 = -1
    }

    /// People, counted one after the other.
    struct Distinct {
        var count: Int64 = 0
        /// The number of the last counted person, so that each person counts once.
        private var last = -1

        /// - Returns: whether the person was not counted yet.
        mutating func add(_ person: Int) -> Bool {
            guard person != last else { return false }
            count += 1
            last = person
            return true
        }
    }

    /// What a group is credited with.
    struct Credits {
        var sums = LastTouchCredits()
        /// Those of the people of the row's touches who installed, or converted.
        var installers = Distinct()
        var converters = Distinct()
        /// People with a conversion among these that is worth something.
        var payers = Distinct()

        /// - Parameter isOfRow: whether the person has a touch of the row.
        /// - Returns: as what the person was not counted yet.
        @discardableResult
        mutating func add(
            _ event: CreditedEvent,
            units: Int64,
            of person: Int?,
            isOfRow: Bool
        ) -> (installs: Bool, converts: Bool, pays: Bool) {
            sums.add(event, units: units)
            guard let person else { return (false, false, false) }
            if event.isInstall { return (isOfRow && installers.add(person), false, false) }
            return (false, isOfRow && converters.add(person), event.value > 0 && payers.add(person))
        }

        static func += (credits: inout Credits, other: Credits) {
            credits.sums += other.sums
            credits.installers.count += other.installers.count
            credits.converters.count += other.converters.count
            credits.payers.count += other.payers.count
        }

        /// What a figure of credits ranks rows by, before it is shown: a sum, or a number of people; 0 for any other.
        subscript(figure: BreakdownReport.Figure) -> Int128 {
            get {
                switch figure {
                case .installs: sums.installs.units
                case .conversions, .conversionsPerPerson: sums.conversions.units
                case .value, .valuePerPerson, .valuePerTouch: sums.conversions.value
                case .payingPeople: Int128(payers.count)
                case .convertingPeople, .conversionRate: Int128(converters.count)
                case .installRate: Int128(installers.count)
                default: 0
                }
            }
            set {
                switch figure {
                case .installs: sums.installs.units = newValue
                case .conversions, .conversionsPerPerson: sums.conversions.units = newValue
                case .value, .valuePerPerson, .valuePerTouch: sums.conversions.value = newValue
                case .payingPeople: payers.count = Int64(newValue)
                case .convertingPeople, .conversionRate: converters.count = Int64(newValue)
                case .installRate: installers.count = Int64(newValue)
                default: break
                }
            }
        }
    }

    /// What a row of the table shows.
    struct Row {
        var touches = TouchCounts()
        var credits = Credits()
        /// In millionths; 0 unless the rows are sorted by it.
        var cost: Int128 = 0
    }

    let report: BreakdownReport
    private let events: CreditedEvents
    private let matcher: EventMatcher?
    /// In microseconds.
    private let lookback: Int64
    var first: BreakdownValues
    var second: BreakdownValues?
    /// Nil if no key needs it.
    let clock: ClockCounts?
    var groups = GroupTable(empty: Group())
    /// Of groups that have credits, in no order.
    var credits: [Credits] = []
    var direct = Row()
    var total = Row()
    private var others: OtherCurrencies
    private var people = 0
    /// What the names cost in the range, in millionths; nil unless the rows are sorted by it.
    let costs: [[UInt8]: Int128]?
    /// Names that cost something and have no group. Their positions follow those of the groups.
    var unseen: [[UInt8]] = []
    /// What each position costs; empty unless the rows are sorted by it.
    var costOfPosition: [Int128] = []
    /// The people of groups, if these are counted at last (``BreakdownReport/hasManyGroups``); else nil.
    var log: BreakdownLog?
    /// By the positions of logged groups, what ranks them (`Credits.subscript`); empty if their touches do.
    var ranks: [Int128] = []
    // For `(others)`, whose people are distinct, if they are not logged.
    var touching = GroupPeople()
    /// By the positions of credits; those of rates only if there are any.
    var installing = GroupPeople()
    var converting = GroupPeople()
    var paying = GroupPeople()

    /// - Parameter logsPeople: nil if the report decides.
    init(_ report: BreakdownReport, _ run: ReportRun, logsPeople: Bool? = nil) {
        self.report = report
        log = logsPeople ?? report.hasManyGroups ? BreakdownLog(run.file) : nil
        events = report.lastTouch.events(run)
        let range = run.range
        costs = report.sortFigure?.isOfCosts == true ? run.costs?.sums { range.contains($0) } : nil
        others = OtherCurrencies(run)
        clock = report.tellsDays ? ClockCounts(run) : nil
        matcher = report.lastTouch.filter.makeMatcher(run.dictionary)
        lookback = report.lastTouch.lookback.microseconds
        first = BreakdownValues(report.keys[0], matching: matcher, run)
        second = report.keys.count > 1 ? BreakdownValues(report.keys[1], matching: matcher, run) : nil
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where events.range.contains(touch.time) {
            let event = person.events[touch.event]
            if let matcher, !matcher.keeps(event) { continue }
            total.touches.add(touch, of: number)
            evidence.note(.touches, in: .total, at: touch.time, event)
            forEachGroup(of: touch, event) { fold, key, _, _ in
                fold.add(touch, of: number, to: key)
                evidence.note(.touches, in: .named(key), at: touch.time, event)
            }
        }
        let events = events
        events.forEach(of: person) { event in
            let credited = person.events[event.position]
            guard let touch = person.lastTouch(before: event, within: lookback) else {
                guard matcher?.keepsDirect(credited) ?? true else { return }
                let units = CreditUnits.one
                total.credits.add(event, units: units, of: number, isOfRow: total.touches.hasTouch(of: number))
                evidence.note(event, units: units, in: .total, credited)
                others.add(credited)
                if report.isOfPeople {
                    first.read(credited, at: event.time)
                    for place in first.values.indices {
                        let key = GroupKey(number: first.values[place].number)
                        add(event, units: units, of: number, to: key)
                        evidence.note(event, units: units, in: .named(key), credited)
                    }
                    return
                }
                direct.credits.add(event, units: units, of: number, isOfRow: false)
                return evidence.note(event, units: units, in: .direct, credited)
            }
            let touched = person.events[touch.event]
            let units = matcher?.kept(CreditUnits.one, of: touched) ?? CreditUnits.one
            guard units > 0 else { return }
            total.credits.add(event, units: units, of: number, isOfRow: total.touches.hasTouch(of: number))
            evidence.note(event, units: units, in: .total, credited)
            others.add(credited, units: units)
            forEachGroup(of: touch, touched) { fold, key, index, count in
                let share = CreditUnits.share(index, of: count, keeping: units)
                fold.add(event, units: share, of: number, to: key)
                evidence.note(event, units: share, in: .named(key), credited)
            }
        }
        log?.endPerson(isPerson: person.isPerson)
    }

    @inline(__always)
    private mutating func add(_ touch: TimelineTouch, of person: Int?, to key: GroupKey) {
        if log?.add(touch, to: key) != nil { return }
        let group = groups.position(of: key)
        if groups[group].touches.add(touch, of: person) { touching.add(people, to: group) }
    }

    private mutating func add(_ event: CreditedEvent, units: Int64, of person: Int?, to key: GroupKey) {
        if log?.add(event, units: units, to: key) != nil { return }
        let group = groups.position(of: key)
        let position = creditsPosition(ofGroup: group)
        let isOfRow = groups[group].touches.hasTouch(of: person)
        let new = credits[position].add(event, units: units, of: person, isOfRow: isOfRow)
        if new.pays { paying.add(people, to: position) }
        guard report.tellsRates else { return }
        if new.installs { installing.add(people, to: position) }
        if new.converts { converting.add(people, to: position) }
    }

    private mutating func creditsPosition(ofGroup group: Int) -> Int {
        if groups[group].credits < 0 {
            groups[group].credits = Int32(credits.count)
            credits.append(Credits())
        }
        return Int(groups[group].credits)
    }

    /// Calls `body` with each group that a touch counts in, the group's place among those among which the touch's
    /// credit is divided, and their number. A touch has several groups only if one key is `ref`: one for each ref.
    @inline(__always)
    private mutating func forEachGroup(
        of touch: TimelineTouch,
        _ event: TimelineEvent,
        _ body: (inout BreakdownFold, GroupKey, Int, Int) -> Void
    ) {
        first.read(event, at: touch.time)
        second?.read(event, at: touch.time)
        if first.values.count == 1, second?.values.count == 1, let other = second?.values[0].number {
            let key = GroupKey(GroupKey(number: first.values[0].number), GroupKey(number: other))
            return body(&self, key, 0, 1)
        }
        let others = second?.values
        for place in first.values.indices {
            let (one, index, count) = first.values[place]
            if let others {
                for (other, otherIndex, otherCount) in others {
                    let key = GroupKey(GroupKey(number: one), GroupKey(number: other))
                    body(&self, key, max(index, otherIndex), max(count, otherCount))
                }
            } else {
                body(&self, GroupKey(number: one), index, count)
            }
        }
    }

    var otherCurrencies: [OtherCurrencies] { [others] }
    var size: Int {
        groups.size + credits.heldSize + touching.size + installing.size + converting.size + paying.size
            + (log?.size ?? 0)
    }

    mutating func merge(_ other: BreakdownFold) {
        others += other.others
        if let logged = other.log { log?.merge(logged) }
        credits.reserveCapacity(credits.count + other.credits.count)
        let places = groups.merge(other.groups) { $0.touches += $1.touches }
        var placesOfCredits = [Int32](repeating: 0, count: other.credits.count)
        for (position, group) in other.groups.rows.enumerated() where group.credits >= 0 {
            let place = creditsPosition(ofGroup: Int(places[position]))
            credits[place] += other.credits[Int(group.credits)]
            placesOfCredits[Int(group.credits)] = Int32(place)
        }
        touching.merge(other.touching, at: places)
        installing.merge(other.installing, at: placesOfCredits)
        converting.merge(other.converting, at: placesOfCredits)
        paying.merge(other.paying, at: placesOfCredits)
        direct.credits += other.direct.credits
        total.touches += other.total.touches
        total.credits += other.total.credits
    }
}
