import Events
import InboundLinks
import Time
import Timelines

/// Counts each person of a group in the periods in which the person has a touch of it.
struct ActivityFold: LimitedFold, PeopleFold {
    private typealias Count = ActivityCounts.Count
    private typealias Sums = ActivityCounts.Sums

    /// Most people are in few groups, which are found faster by comparing than by hashing.
    private static let comparedKeys = 8

    private let report: ActivityReport
    private let end: Timestamp
    private let finder: GroupFinder
    /// The conditions on people, and on touches.
    private let ofPerson: EventMatcher?
    private let matcher: EventMatcher?
    /// Whether the conditions keep what has no touch.
    private let keepsNothing: Bool
    private let periods: ReportPeriods
    /// The whole period before the first, and what the range cuts off from the beginning of the first.
    private let before: Range<Timestamp>
    private let beginning: Range<Timestamp>
    /// The last day of each period within the range.
    private let lastDays: [Int]
    private var days: DayFinder
    private var total: ActivityCounts
    private var direct: ActivityCounts
    private var groups: LimitedGroups<ActivityCounts>
    /// The day of the app's first event; nil if there is none.
    private let firstDayOfApp: Int?

    // What the current person did.
    private var firstPeriod: Int?
    private var activity: ActivityMarks
    /// All touches, those that are kept, and those of each group.
    private var touched: ActivityMarks
    private var kept: ActivityMarks
    private var proofs: ActivityProofs
    private var ownKeys: [GroupKey] = []
    private var ownMarks: [ActivityMarks] = []
    /// The places of keys after the first ``comparedKeys``.
    private var laterPlaces: [GroupKey: Int] = [:]
    private var touchMoments: [ActivityMarks.Moment] = []
    /// Nothing happened.
    private let never: ActivityMarks
    private let firstDay: Int
    private let dayCount: Int
    /// By day, counted from `firstDay`, the first period that does not end before it; up to 30 days after the last.
    private let firstPeriods: [Int]
    /// What to add for the current person, and the place in it of the last run of each count; −1: there is none.
    private var runs: [ActivityCounts.Run] = []
    private var lastRuns = Array(repeating: -1, count: Count.allCases.count)

    /// - Parameter countsLimit: how much memory the counts of groups may take, in bytes.
    init(
        _ report: ActivityReport,
        _ run: ReportRun,
        countsLimit: Int = LimitedGroups<ActivityCounts>.defaultCountsLimit
    ) {
        self.report = report
        end = run.range.to
        ofPerson = report.filter.only(\.isOfPerson).makeMatcher(run.dictionary)
        matcher = report.filter.only { !$0.isOfPerson }.makeMatcher(run.dictionary)
        keepsNothing = matcher?.keepsNothing ?? true
        finder = GroupFinder(report.grouping, matching: matcher, run)
        firstDayOfApp = run.firstEvent.map { run.zone.day(of: $0).number }
        let length = report.period.length ?? .day
        let periods = ReportPeriods(length, run)
        self.periods = periods
        days = DayFinder(zone: run.zone)
        let start = length.start(of: run.zone.day(of: run.range.from))
        let previous = length.start(of: CivilDate(number: start.number - 1))
        let (lower, upper) = (run.zone.start(of: previous), run.zone.start(of: start))
        before = lower..<max(lower, upper)
        beginning = min(upper, run.range.from)..<run.range.from
        lastDays = (0..<periods.count).map {
            run.zone.day(of: periods.end(at: $0).advanced(by: .microseconds(-1))).number
        }
        firstDay = (lastDays.first ?? 0) - 29
        dayCount = max(0, (lastDays.last ?? 0) - firstDay + 1)
        var firstPeriods: [Int] = []
        for day in firstDay..<firstDay + dayCount + 30 {
            var period = firstPeriods.last ?? 0
            while period < lastDays.count, lastDays[period] < day { period += 1 }
            firstPeriods.append(period)
        }
        self.firstPeriods = firstPeriods
        never = ActivityMarks(periods: periods.count, days: dayCount)
        (activity, touched, kept) = (never, never, never)
        proofs = ActivityProofs(periods: periods.count)
        total = ActivityCounts(periods: periods.count)
        direct = ActivityCounts(periods: periods.count)
        groups = LimitedGroups(
            total,
            size: ActivityCounts.size(periods: periods.count),
            countsLimit: countsLimit,
            showsAll: report.grouping == .channel,
            keepsShared: true,
            run.file
        )
        for key in finder.fixedKeys { groups.position(of: key) }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard person.isPerson, let event = person.events.first else { return }
        read(person)
        if let ofPerson, !ofPerson.keeps(event) { return }
        count(activity)
        guard !runs.isEmpty else { return }
        if evidence.wanted != nil { readProofs(of: person) }
        if report.takesFirst { return addByFirstTouch(of: person, &evidence) }
        if report.readsTouches { readTouches(of: person) }
        if matcher != nil { count(kept, orNothing: keepsNothing) }
        guard !runs.isEmpty else { return }
        addToTotal(&evidence)
        guard report.grouping != .none else { return }
        if report.grouping.isOfPerson {
            finder.forEachKey(of: event, at: event.occurredAt) { addRuns(to: $0, &evidence) }
        } else {
            let none = GroupKey(number: nil)
            for (place, key) in ownKeys.enumerated() {
                count(ownMarks[place], orNothing: keepsNothing && key == none)
                addRuns(to: key, &evidence)
            }
            if keepsNothing, !ownKeys.contains(none) {
                count(never, orNothing: true)
                addRuns(to: none, &evidence)
            }
        }
        endPerson()
    }

    /// Counts a person in the groups of the first touch ever, whatever happened later.
    private mutating func addByFirstTouch<E: EvidenceSink>(
        of person: borrowing PersonTimeline,
        _ evidence: inout E
    ) {
        let touch = person.touches.first.flatMap { $0.time < end ? $0 : nil }
        if let matcher {
            guard let touch, matcher.keeps(person.events[touch.event]) else { return }
        }
        addToTotal(&evidence)
        guard report.grouping != .none else { return }
        if report.grouping.isOfPerson, let event = person.events.first {
            finder.forEachKey(of: event, at: event.occurredAt) { addRuns(to: $0, &evidence) }
        } else if let touch {
            finder.forEachKey(of: person.events[touch.event], at: touch.time) { addRuns(to: $0, &evidence) }
        } else {
            direct.add(runs)
            if evidence.wanted != nil { note({ .direct(in: $0) }, &evidence) }
            return
        }
        endPerson()
    }

    private mutating func addToTotal<E: EvidenceSink>(_ evidence: inout E) {
        total.add(runs)
        // Asked here, because a call of a method that only reads copies the fold.
        if evidence.wanted != nil { note({ .total(in: $0) }, &evidence) }
    }

    private mutating func addRuns<E: EvidenceSink>(to key: GroupKey, _ evidence: inout E) {
        if runs.isEmpty { return }
        groups.update(key, from: ActivityCounts.Share(runs: runs)) { _ in }
        if evidence.wanted != nil { note({ .named(key, in: $0) }, &evidence) }
    }

    /// Tells in which periods the current person is behind the figure of a list.
    private func note<E: EvidenceSink>(_ group: (Int) -> PeopleGroup, _ evidence: inout E) {
        guard let count = evidence.wanted.flatMap(Count.init) else { return }
        for run in runs where run.count == count.rawValue {
            for period in run.periods {
                if let proof = proofs.proof(of: count, at: period) { evidence.note(group(period), proof) }
            }
        }
    }

    private mutating func endPerson() {
        groups.endPerson { share in share.runs.contains { $0.count == Count.active.rawValue } }
    }

    /// How many groups have counts.
    var countedGroups: Int { groups.counts.count }

    private mutating func read(_ person: borrowing PersonTimeline) {
        activity.clear()
        touchMoments.removeAll(keepingCapacity: true)
        // Touches count at their time t, in whose order they are.
        var first = person.touches.first.flatMap { $0.time < end ? $0.time : nil }
        for touch in person.touches where touch.time < end {
            let moment = moment(touch.time)
            activity.add(moment)
            touchMoments.append(moment)
        }
        for position in person.events.indices {
            let event = person.events[position]
            guard event.isActivity, event.occurredAt < end else { continue }
            first = first.map { min($0, event.occurredAt) } ?? event.occurredAt
            activity.add(moment(event.occurredAt))
        }
        firstPeriod = first.flatMap { beginning.contains($0) ? 0 : periods.position(of: $0) }
    }

    private mutating func readProofs(of person: borrowing PersonTimeline) {
        proofs.clear()
        for touch in person.touches where touch.time < end {
            let event = person.events[touch.event]
            proofs.add(Evidence(event, first: touch.time, last: touch.time), moment(touch.time))
        }
        for position in person.events.indices {
            let event = person.events[position]
            guard event.isActivity, event.occurredAt < end else { continue }
            proofs.add(Evidence(event, first: event.occurredAt, last: event.occurredAt), moment(event.occurredAt))
        }
    }

    private mutating func moment(_ time: Timestamp) -> ActivityMarks.Moment {
        let day = days.day(of: time).number - firstDay
        return ActivityMarks.Moment(
            isBefore: before.contains(time),
            isInBeginning: beginning.contains(time),
            period: periods.position(of: time),
            day: (0..<dayCount).contains(day) ? day : nil
        )
    }

    private mutating func readTouches(of person: borrowing PersonTimeline) {
        touched.clear()
        kept.clear()
        ownKeys.removeAll(keepingCapacity: true)
        if !laterPlaces.isEmpty { laterPlaces.removeAll(keepingCapacity: true) }
        for (touch, moment) in zip(person.touches, touchMoments) {
            touched.add(moment)
            let event = person.events[touch.event]
            if let matcher, !matcher.keeps(event) { continue }
            kept.add(moment)
            if report.grouping.isOfPerson { continue }
            finder.forEachKey(of: event, at: touch.time) { key in
                ownMarks[place(of: key)].add(moment)
            }
        }
    }

    /// The place of the marks of a group in `ownMarks`.
    private mutating func place(of key: GroupKey) -> Int {
        for place in ownKeys.indices.prefix(Self.comparedKeys) where ownKeys[place] == key { return place }
        let place = ownKeys.count
        if place >= Self.comparedKeys {
            if let known = laterPlaces[key] { return known }
            laterPlaces[key] = place
        }
        ownKeys.append(key)
        if place < ownMarks.count { ownMarks[place].clear() } else { ownMarks.append(never) }
        return place
    }

    /// Says in `runs` in which periods the current person counts as what.
    ///
    /// What the person is, active, new or gone, is of all that the person did. Whether it counts in a group is of the
    /// touches: of those of the period; for who is gone, of those of the period before; for the last days, of those of
    /// each of these days.
    ///
    /// - Parameters:
    ///   - marks: the touches of the group.
    ///   - orNothing: whether who had no touch at all counts, too.
    private mutating func count(_ marks: ActivityMarks, orNothing: Bool = false) {
        runs.removeAll(keepingCapacity: true)
        for index in lastRuns.indices { lastRuns[index] = -1 }
        @inline(__always)
        func isIn(_ marked: UInt64, _ active: UInt64, _ touched: UInt64) -> UInt64 {
            marked | (orNothing ? active & ~touched : 0)
        }
        for word in activity.periods.indices {
            let active = activity.periods[word]
            // The range cuts who is active in the first period. All else is as if it had begun with the period.
            let wasActive = activity.previousPeriods(word)
            let isCut = word == 0 && activity.isInBeginning
            let count = periods.count - word * 64
            let all: UInt64 = count < 64 ? (1 << UInt64(count)) - 1 : .max
            let gone = wasActive & ~active & ~(isCut ? 1 : 0) & all
            let counted = active & isIn(marks.periods[word], active, touched.periods[word])
            forEachBit(of: counted) { bit in
                let period = word * 64 + bit
                found(.active, period..<period + 1)
                let before = wasActive >> UInt64(bit) & 1 != 0
                found(firstPeriod == period ? .new : before ? .returning : .resurrected, period..<period + 1)
            }
            let missed = gone & isIn(marks.previousPeriods(word), wasActive, touched.previousPeriods(word))
            forEachBit(of: missed) { bit in
                let period = word * 64 + bit
                found(.dormant, period..<period + 1)
            }
        }
        for word in activity.days.indices {
            forEachBit(of: isIn(marks.days[word], activity.days[word], touched.days[word])) { bit in
                let day = word * 64 + bit
                found(.active7Days, firstPeriods[day]..<firstPeriods[day + 7])
                found(.active30Days, firstPeriods[day]..<firstPeriods[day + 30])
            }
        }
    }

    private mutating func found(_ count: Count, _ periods: Range<Int>) {
        if periods.isEmpty { return }
        let run = ActivityCounts.Run(count, periods)
        let last = lastRuns[count.rawValue]
        if last >= 0, runs[last].extend(through: run) { return }
        lastRuns[count.rawValue] = runs.count
        runs.append(run)
    }

    var size: Int { groups.size }
    var rowCount: Int { (groups.shownCount(report.limit) + 2) * periods.count }

    mutating func merge(_ other: ActivityFold) {
        total += other.total
        direct += other.direct
        groups.merge(other.groups)
    }

    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        // The group stands after the period.
        try rows(showing: groups.keys(beside: others?.lazy.map { $0[1] }, report.limit, finder)).map { row in
            row.people.names + cells(of: row.counts, row.period)
        }
    }

    func peopleRows() throws -> [PeopleRow] {
        try rows(showing: groups.keys(beside: nil as [ReportCell]?, report.limit, finder)).map(\.people)
    }

    private struct Row {
        var period: Int
        var counts: Sums
        var people: PeopleRow
    }

    private func rows(showing keys: [GroupKey]) throws -> [Row] {
        let (counted, rest) = try groups.counts(of: keys)
        let named = counted.map { key, counts in (key, counts.summed) }
        let others = rest?.summed
        let (direct, total) = (direct.summed, total.summed)
        let fixed = Set(finder.fixedKeys)
        return (0..<periods.count).flatMap { period in
            func row(_ name: String, _ counts: Sums, _ group: PeopleGroup, isTotal: Bool = false) -> Row {
                let names = periods.cells(at: period) + [.text(name)]
                return Row(
                    period: period,
                    counts: counts,
                    people: PeopleRow(names: names, groups: [group], isTotal: isTotal)
                )
            }
            let present = named.filter { fixed.contains($0.0) || !$0.1.isEmpty(at: period) }
                .map { key, counts in (key, (key: key, counts: counts)) }
            var rows = finder.ordered(present) { $0.counts[period, .active] }
                .map { row($0.name, $0.counts.counts, .named($0.counts.key, in: period)) }
            if let others, !others.isEmpty(at: period) {
                let names = periods.cells(at: period) + [.text(ReportNames.others)]
                rows.append(Row(period: period, counts: others, people: .others(names, in: [period])))
            }
            if report.grouping != .none, !report.grouping.isOfPerson, report.takesFirst {
                rows.append(row(ReportNames.direct, direct, .direct(in: period)))
            }
            return rows + [row(ReportNames.total, total, .total(in: period), isTotal: true)]
        }
    }

    private func cells(of counts: Sums, _ position: Int) -> [ReportCell] {
        let isKnown = [Count.active7Days: hasDays(7, until: position), .active30Days: hasDays(30, until: position)]
        return Count.allCases.map { isKnown[$0] ?? true ? .integer(counts[position, $0]) : .empty } + [
            report.period.length == .day && hasDays(30, until: position)
                ? .fraction(counts[position, .active], of: counts[position, .active30Days]) : .empty
        ]
    }

    /// Whether the app has as many days up to the end of a period: a young app would seem to lose people otherwise.
    private func hasDays(_ count: Int, until position: Int) -> Bool {
        firstDayOfApp.map { $0 <= lastDays[position] - count + 1 } ?? false
    }
}

extension TimelineEvent {
    /// Whether its person is active by it. Touches are activity, too, at their time t.
    var isActivity: Bool {
        switch type {
        case .inboundLink, .linkClick: false
        case .feedPost: outcome == .posted
        case .authentication: login == .granted
        case .install, .conversion, .appOpen: true
        }
    }
}
