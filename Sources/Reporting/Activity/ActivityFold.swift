import Events
import InboundLinks
import Time
import Timelines

/// Counts each person of a group in the periods in which the person has a touch of it.
struct ActivityFold: LimitedFold, PeopleFold {
    typealias Count = ActivityCounts.Count

    /// Most people are in few groups, which are found faster by comparing than by hashing.
    private static let comparedKeys = 8

    let report: ActivityReport
    private let end: Timestamp
    let finder: GroupFinder
    /// The conditions on people, and on touches.
    private let ofPerson: EventMatcher?
    private let matcher: EventMatcher?
    /// Whether the conditions keep what has no touch.
    private let keepsNothing: Bool
    let periods: ReportPeriods
    /// The whole period before the first, and what the range cuts off from the beginning of the first.
    private let before: Range<Timestamp>
    private let beginning: Range<Timestamp>
    /// The last day of each period within the range.
    let lastDays: [Int]
    private var days: DayFinder
    var total: ActivityCounts
    var direct: ActivityCounts
    var groups: LimitedGroups<ActivityCounts>
    /// The day of the app's first event; nil if there is none.
    let firstDayOfApp: Int?

    /// The rows of ``marks``: nothing, all that the current person did, all touches, those that are kept, and from
    /// there on those of each group.
    private enum Row {
        static let never = 0
        static let activity = 1
        static let touched = 2
        static let kept = 3
        static let groups = 4
    }

    // What the current person did.
    private var firstPeriod: Int?
    private var marks: ActivityMarks
    private var proofs: ActivityProofs
    private var ownKeys: [GroupKey] = []
    /// The places of keys after the first ``comparedKeys``.
    private var laterPlaces: [GroupKey: Int] = [:]
    private var touchMoments: [ActivityMarks.Moment] = []
    private let firstDay: Int
    private let dayCount: Int
    /// By day, counted from `firstDay`, the first period that does not end before it; up to 30 days after the last.
    private let firstPeriods: [Int]
    /// What to add for the current person, and what the total has got.
    private var runs: [ActivityCounts.Run] = []
    private var whole: [ActivityCounts.Run] = []

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
        marks = ActivityMarks(periods: periods.count, days: dayCount)
        for row in 0..<Row.groups { marks.clear(row) }
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
        count(Row.activity)
        guard !runs.isEmpty else { return }
        if evidence.wanted != nil { readProofs(of: person) }
        if report.takesFirst { return addByFirstTouch(of: person, &evidence) }
        if report.readsTouches { readTouches(of: person) }
        if matcher != nil { count(Row.kept, orNothing: keepsNothing) }
        guard !runs.isEmpty else { return }
        addToTotal(&evidence)
        guard report.grouping != .none else { return }
        if report.grouping.isOfPerson {
            finder.forEachKey(of: event, at: event.occurredAt) { add(runs, to: $0, isOnly: true, &evidence) }
        } else {
            addByTouches(&evidence)
        }
        groups.endCountedPerson()
    }

    /// Counts a person, whose runs in the total are counted, in the groups of all touches.
    private mutating func addByTouches<E: EvidenceSink>(_ evidence: inout E) {
        swap(&whole, &runs)
        let none = GroupKey(number: nil)
        // Whether the person was active without any touch.
        let hasNothing = keepsNothing && !ownKeys.contains(none) && !marks.has(Row.touched, allOf: Row.activity)
        let isOnly = ownKeys.count + (hasNothing ? 1 : 0) == 1
        if hasNothing { addGroup(none, Row.never, orNothing: true, isOnly: isOnly, &evidence) }
        for place in ownKeys.indices {
            let key = ownKeys[place]
            addGroup(key, Row.groups + place, orNothing: keepsNothing && key == none, isOnly: isOnly, &evidence)
        }
    }

    private mutating func addGroup<E: EvidenceSink>(
        _ key: GroupKey,
        _ row: Int,
        orNothing: Bool,
        isOnly: Bool,
        _ evidence: inout E
    ) {
        // Most people did all that they did in one visit. Its groups get what the total has got.
        if matcher == nil, marks.has(row, allOf: orNothing ? Row.touched : Row.activity) {
            add(whole, to: key, isOnly: isOnly, &evidence)
        } else {
            count(row, orNothing: orNothing)
            add(runs, to: key, isOnly: isOnly, &evidence)
        }
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
            finder.forEachKey(of: event, at: event.occurredAt) { add(runs, to: $0, isOnly: true, &evidence) }
        } else if let touch {
            ownKeys.removeAll(keepingCapacity: true)
            finder.forEachKey(of: person.events[touch.event], at: touch.time) { ownKeys.append($0) }
            for key in ownKeys { add(runs, to: key, isOnly: ownKeys.count == 1, &evidence) }
        } else {
            direct.add(runs)
            if evidence.wanted != nil { note(runs, { .direct(in: $0) }, &evidence) }
            return
        }
        groups.endCountedPerson()
    }

    private mutating func addToTotal<E: EvidenceSink>(_ evidence: inout E) {
        total.add(runs)
        // Asked here, because a call of a method that only reads copies the fold.
        if evidence.wanted != nil { note(runs, { .total(in: $0) }, &evidence) }
    }

    private mutating func add<E: EvidenceSink>(
        _ runs: [ActivityCounts.Run],
        to key: GroupKey,
        isOnly: Bool,
        _ evidence: inout E
    ) {
        if runs.isEmpty { return }
        let isRanked = runs.contains { $0.isOfActive }
        groups.count(ActivityCounts.Share(runs: runs), in: key, isOnly: isOnly, isRanked: isRanked)
        if evidence.wanted != nil { note(runs, { .named(key, in: $0) }, &evidence) }
    }

    /// Tells in which periods the current person is behind the figure of a list.
    private func note<E: EvidenceSink>(
        _ runs: [ActivityCounts.Run],
        _ group: (Int) -> PeopleGroup,
        _ evidence: inout E
    ) {
        guard let count = evidence.wanted.flatMap(Count.init) else { return }
        for run in runs where run.count == count.rawValue {
            for period in run.periods {
                if let proof = proofs.proof(of: count, at: period) { evidence.note(group(period), proof) }
            }
        }
    }

    /// How many groups have counts.
    var countedGroups: Int { groups.counts.count }

    private mutating func read(_ person: borrowing PersonTimeline) {
        marks.clear(Row.activity)
        touchMoments.removeAll(keepingCapacity: true)
        // Touches count at their time t, in whose order they are.
        var first = person.touches.first.flatMap { $0.time < end ? $0.time : nil }
        for touch in person.touches where touch.time < end {
            let moment = moment(touch.time)
            marks.add(moment, to: Row.activity)
            touchMoments.append(moment)
        }
        for position in person.events.indices {
            let time = person.events[position].occurredAt
            guard person.events[position].isActivity, time < end else { continue }
            first = first.map { min($0, time) } ?? time
            marks.add(moment(time), to: Row.activity)
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
        marks.clear(Row.touched)
        marks.clear(Row.kept)
        ownKeys.removeAll(keepingCapacity: true)
        if !laterPlaces.isEmpty { laterPlaces.removeAll(keepingCapacity: true) }
        for (touch, moment) in zip(person.touches, touchMoments) {
            marks.add(moment, to: Row.touched)
            let event = person.events[touch.event]
            if let matcher, !matcher.keeps(event) { continue }
            if matcher != nil { marks.add(moment, to: Row.kept) }
            if report.grouping.isOfPerson { continue }
            finder.forEachKey(of: event, at: touch.time) { key in
                let place = place(of: key)
                marks.add(moment, to: Row.groups + place)
            }
        }
    }

    /// The place of a group in `ownKeys`.
    private mutating func place(of key: GroupKey) -> Int {
        for place in ownKeys.indices.prefix(Self.comparedKeys) where ownKeys[place] == key { return place }
        let place = ownKeys.count
        if place >= Self.comparedKeys {
            if let known = laterPlaces[key] { return known }
            laterPlaces[key] = place
        }
        ownKeys.append(key)
        marks.clear(Row.groups + place)
        return place
    }

    /// Says in `runs` in which periods the current person counts as what.
    ///
    /// What the person is, active, new or gone, is of all that the person did. Whether it counts in a group is of the
    /// touches: of those of the period; for who is gone, of those of the period before; for the last days, of those of
    /// each of these days.
    ///
    /// - Parameters:
    ///   - row: of the touches of the group.
    ///   - orNothing: whether who had no touch at all counts, too.
    private mutating func count(_ row: Int, orNothing: Bool = false) {
        runs.removeAll(keepingCapacity: true)
        @inline(__always)
        func isIn(_ marked: UInt64, _ active: UInt64, _ touched: UInt64) -> UInt64 {
            marked | (orNothing ? active & ~touched : 0)
        }
        for word in 0..<marks.periodWords {
            let active = marks.periods(Row.activity, word)
            // The range cuts who is active in the first period. All else is as if it had begun with the period.
            let wasActive = marks.previousPeriods(Row.activity, word)
            let isCut = word == 0 && marks.isInBeginning(Row.activity)
            let count = periods.count - word * 64
            let all: UInt64 = count < 64 ? (1 << UInt64(count)) - 1 : .max
            let gone = wasActive & ~active & ~(isCut ? 1 : 0) & all
            let counted = active & isIn(marks.periods(row, word), active, marks.periods(Row.touched, word))
            let first: UInt64 = firstPeriod.map { $0 >> 6 == word ? 1 << UInt64($0 & 63) : 0 } ?? 0
            add(.new, counted & first, word)
            add(.returning, counted & wasActive & ~first, word)
            add(.resurrected, counted & ~wasActive & ~first, word)
            let had = isIn(
                marks.previousPeriods(row, word),
                wasActive,
                marks.previousPeriods(Row.touched, word)
            )
            add(.dormant, gone & had, word)
        }
        var (week, month) = (0..<0, 0..<0)
        for word in 0..<marks.dayWords {
            let (active, touched) = (marks.days(Row.activity, word), marks.days(Row.touched, word))
            forEachBit(of: isIn(marks.days(row, word), active, touched)) { bit in
                let day = word * 64 + bit
                extend(&week, by: firstPeriods[day]..<firstPeriods[day + 7], .active7Days)
                extend(&month, by: firstPeriods[day]..<firstPeriods[day + 30], .active30Days)
            }
        }
        if !week.isEmpty { runs.append(ActivityCounts.Run(.active7Days, week)) }
        if !month.isEmpty { runs.append(ActivityCounts.Run(.active30Days, month)) }
    }

    /// Adds the periods of a word's bits.
    @inline(__always)
    private mutating func add(_ count: Count, _ bits: UInt64, _ word: Int) {
        forEachRun(of: bits) {
            runs.append(ActivityCounts.Run(count, word * 64 + $0.lowerBound..<word * 64 + $0.upperBound))
        }
    }

    /// Adds periods to those that have no run yet, which gets one if they do not reach the new ones.
    @inline(__always)
    private mutating func extend(_ open: inout Range<Int>, by periods: Range<Int>, _ count: Count) {
        if periods.isEmpty { return }
        if periods.lowerBound <= open.upperBound, !open.isEmpty {
            open = open.lowerBound..<max(open.upperBound, periods.upperBound)
        } else {
            if !open.isEmpty { runs.append(ActivityCounts.Run(count, open)) }
            open = periods
        }
    }

    var size: Int { groups.size }
    var rowCount: Int { (groups.shownCount(report.limit) + 2) * periods.count }

    mutating func merge(_ other: ActivityFold) {
        total += other.total
        direct += other.direct
        groups.merge(other.groups)
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
