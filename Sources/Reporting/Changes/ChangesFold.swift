import Events
import Time
import Timelines

/// Counts two ranges by group, in one pass, so that the groups add up: a touch is divided among its refs, and a person
/// is in the group of the first touch of the range.
struct ChangesFold: ReportFold {
    /// What is counted in one range.
    struct Amount {
        /// The metric, exact (``ChangeMetric/millionths(_:)``); of a rate, those who succeeded.
        var sum: Int128 = 0
        /// Of a rate, the people that it is of, in credit units. Of other metrics, the squares of what each person
        /// adds, in millionths.
        var base: Int128 = 0

        /// Of a rate.
        var rate: Double? { base > 0 ? Double(sum) / Double(base) : nil }

        static func += (amount: inout Amount, other: Amount) {
            amount.sum += other.sum
            let (base, isTooLarge) = amount.base.addingReportingOverflow(other.base)
            amount.base = isTooLarge ? .max : base
        }
    }

    struct Group {
        var now = Amount()
        var before = Amount()

        static func += (group: inout Group, other: Group) {
            group.now += other.now
            group.before += other.before
        }
    }

    /// One of the two ranges.
    private struct Side {
        var events: CreditedEvents
        /// What no `value` contains.
        var others: OtherCurrencies

        var range: ReportRange { events.range }
    }

    /// A person's sum is not squared beyond this, in millionths: ten billion.
    private static let most: Int128 = 10_000_000_000_000_000

    let report: ChangesReport
    /// How long the ranges are, the report's own first; one if there is none to compare with.
    let lengths: [Double]
    private let matcher: EventMatcher?
    /// The conditions on people, and whether the others keep what has no touch.
    private let ofPerson: EventMatcher?
    private let keepsUntouched: Bool
    private let dictionary: TimelineDictionary
    /// Of each key.
    private(set) var values: [BreakdownValues]
    private var sides: [Side]
    private(set) var groups = GroupTable(empty: Group())
    private(set) var total = Group()

    // What the current person adds in one range: the groups of a touch with their parts of it, those of all touches,
    // by the position of a group its place among these (−1: none), and all together.
    private var found: [(key: GroupKey, index: Int, count: Int)] = []
    private var own: [(group: Int, amount: Amount)] = []
    private var places: [Int32] = []
    private var ownTotal = Amount()

    init(_ report: ChangesReport, _ run: ReportRun) {
        self.report = report
        dictionary = run.dictionary
        let matcher = report.filter.makeMatcher(run.dictionary)
        self.matcher = matcher
        ofPerson = report.filter.only(\.isOfPerson).makeMatcher(run.dictionary)
        let ofTouches = report.filter.only { !$0.isOfPerson }.makeMatcher(run.dictionary)
        keepsUntouched = ofTouches?.keepsNothing ?? true
        values = report.keys.map { BreakdownValues($0, matching: matcher, run) }
        let ranges = [run.range] + [run.previous].compactMap(\.self)
        lengths = ranges.map { Double($0.to.microseconds - $0.from.microseconds) }
        sides = ranges.map { range in
            let events = CreditedEvents(
                range: range,
                installs: [.installs, .installRate].contains(report.metric),
                conversions: report.metric.isOfConversions,
                goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
                currency: run.dictionary.code(of: run.currency, as: .currency)
            )
            return Side(events: events, others: OtherCurrencies(run))
        }
    }

    mutating func add(_ person: borrowing PersonTimeline) { add(person, counting: .both) }

    mutating func add(_ person: borrowing PersonTimeline, counting ranges: CountedRanges) {
        for side in sides.indices where ranges.contains(CountedRanges(rawValue: 1 << UInt8(side))) {
            switch report.metric {
            case .touches: addTouches(of: person, side)
            case .installs, .conversions, .value: addCredits(of: person, side)
            case .people, .installRate, .conversionRate, .active: if person.isPerson { addFirstTouch(of: person, side) }
            }
            endPerson(side)
        }
    }

    private mutating func addTouches(of person: borrowing PersonTimeline, _ side: Int) {
        let range = sides[side].range
        for touch in person.touches where range.contains(touch.time) {
            let event = person.events[touch.event]
            divide(kept(of: event), among: event, at: touch.time)
        }
    }

    private mutating func addCredits(of person: borrowing PersonTimeline, _ side: Int) {
        let events = sides[side].events
        let lookback = report.lookback.microseconds
        events.forEach(of: person) { event in
            let worth = report.metric == .value ? Int128(event.value) : 1
            let credited = person.events[event.position]
            guard let touch = person.lastTouch(before: event, within: lookback) else {
                guard matcher?.keepsDirect(credited) ?? true else { return }
                sides[side].others.add(credited)
                guard worth != 0 else { return }
                let amount = Amount(sum: Int128(CreditUnits.one) * worth)
                ownTotal += amount
                return note(amount, in: report.isOfPeople ? untouchedKey(credited) : .direct)
            }
            let touched = person.events[touch.event]
            let units = kept(of: touched)
            sides[side].others.add(credited, units: units)
            guard worth != 0 else { return }
            divide(units, among: touched, at: touch.time, worth: worth)
        }
    }

    /// Counts a person in the groups of the first touch of the range.
    private mutating func addFirstTouch(of person: borrowing PersonTimeline, _ side: Int) {
        let range = sides[side].range
        guard let touch = person.touches.first(where: { range.contains($0.time) }) else {
            guard report.metric == .active, keepsUntouched,
                let event = person.events.first(where: { $0.isActivity && range.contains($0.occurredAt) }),
                ofPerson?.keeps(event) ?? true
            else { return }
            let amount = Amount(sum: Int128(CreditUnits.one))
            ownTotal += amount
            return note(amount, in: untouchedKey(event))
        }
        var hasSucceeded = !report.metric.isRate
        if !hasSucceeded { sides[side].events.forEach(of: person) { _ in hasSucceeded = true } }
        let event = person.events[touch.event]
        divide(kept(of: event), among: event, at: touch.time, worth: hasSucceeded ? 1 : 0)
    }

    /// How much of a touch meets the conditions, in credit units.
    private func kept(of touched: TimelineEvent) -> Int64 {
        matcher?.kept(CreditUnits.one, of: touched) ?? CreditUnits.one
    }

    /// Divides what is kept of a touch, or of its credit, among the groups of the touch.
    ///
    /// - Parameter worth: what the whole is worth.
    private mutating func divide(
        _ units: Int64,
        among touched: TimelineEvent,
        at time: Timestamp,
        worth: Int128 = 1
    ) {
        guard units > 0 else { return }
        ownTotal += Amount(sum: Int128(units) * worth, base: Int128(units))
        findGroups(of: touched, at: time)
        for (key, index, count) in found {
            let share = Int128(CreditUnits.share(index, of: count, keeping: units))
            note(Amount(sum: share * worth, base: share), in: key)
        }
    }

    /// A touch has several groups only if one key is `ref`: one for each ref.
    private mutating func findGroups(of touched: TimelineEvent, at time: Timestamp) {
        found.removeAll(keepingCapacity: true)
        for position in values.indices { values[position].read(touched, at: time) }
        for (number, index, count) in values[0].values {
            let first = GroupKey(number: number)
            guard values.count > 1 else {
                found.append((first, index, count))
                continue
            }
            for (other, otherIndex, otherCount) in values[1].values {
                let key = GroupKey(first, GroupKey(number: other))
                found.append((key, max(index, otherIndex), max(count, otherCount)))
            }
        }
    }

    /// The group of what has no touch: it has what its person has.
    private func untouchedKey(_ event: TimelineEvent) -> GroupKey {
        let keys = report.keys.map { key in
            let ofPerson = key.grouping.flatMap { $0.isOfPerson ? $0 : nil }
            return GroupKey(number: ofPerson.flatMap { $0.value(of: event, dictionary) })
        }
        return keys.count > 1 ? GroupKey(keys[0], keys[1]) : keys[0]
    }

    private mutating func note(_ amount: Amount, in key: GroupKey) {
        let group = groups.position(of: key)
        while places.count <= group { places.append(-1) }
        if places[group] < 0 {
            places[group] = Int32(own.count)
            own.append((group, Amount()))
        }
        own[Int(places[group])].amount += amount
    }

    private mutating func endPerson(_ side: Int) {
        guard !own.isEmpty else { return }
        for (group, amount) in own {
            let added = complete(amount)
            if side == 0 { groups[group].now += added } else { groups[group].before += added }
            places[group] = -1
        }
        let added = complete(ownTotal)
        if side == 0 { total.now += added } else { total.before += added }
        own.removeAll(keepingCapacity: true)
        ownTotal = Amount()
    }

    /// What a person adds, with its square if the metric is no rate.
    private func complete(_ amount: Amount) -> Amount {
        if report.metric.isRate { return amount }
        let millionths = max(-Self.most, min(Self.most, report.metric.millionths(amount.sum)))
        return Amount(sum: amount.sum, base: millionths * millionths)
    }

    var otherCurrencies: [OtherCurrencies] { report.metric == .value ? sides.map(\.others) : [] }
    var size: Int { groups.size + places.heldSize }

    mutating func merge(_ other: ChangesFold) {
        groups.merge(other.groups, +=)
        total += other.total
        for side in sides.indices { sides[side].others += other.sides[side].others }
    }

    func finish() -> [[ReportCell]] { ChangesTable(self).rows }
}

extension GroupKey {
    /// What no touch is credited with.
    static let direct = GroupKey(number: -1)
}
