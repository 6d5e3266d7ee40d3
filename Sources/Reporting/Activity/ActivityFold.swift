import Events
import InboundLinks
import Time
import Timelines

/// Counts each person of a group in its periods.
struct ActivityFold: LimitedFold {
    private typealias Count = ActivityCounts.Count

    private let report: ActivityReport
    private let end: Timestamp
    private let finder: GroupFinder
    /// The conditions on people, and on their first touch.
    private let ofPerson: EventMatcher?
    private let matcher: EventMatcher?
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

    // What the current person did.
    private var first: Timestamp?
    private var wasActiveBefore = false
    private var hasBegunActive = false
    private var activePeriods: [Bool]
    /// The active days since 30 days before the end of the first period.
    private var activeDays: [Bool]
    private let firstDay: Int
    /// What to add for the current person.
    private var runs: [ActivityCounts.Run] = []
    /// The place in `runs` of the last run of each count; −1: there is none.
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
        finder = GroupFinder(report.grouping, matching: matcher, run)
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
        activePeriods = Array(repeating: false, count: periods.count)
        activeDays = Array(repeating: false, count: max(0, (lastDays.last ?? 0) - firstDay + 1))
        total = ActivityCounts(periods: periods.count)
        direct = ActivityCounts(periods: periods.count)
        groups = LimitedGroups(
            total,
            size: ActivityCounts.size(periods: periods.count),
            countsLimit: countsLimit,
            showsAll: report.grouping == .channel,
            run.file
        )
        for key in finder.fixedKeys { groups.position(of: key) }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson, let event = person.events.first else { return }
        if let ofPerson, !ofPerson.keeps(event) { return }
        let touch = person.touches.first.flatMap { $0.time < end ? $0 : nil }
        if let matcher {
            guard let touch, matcher.keeps(person.events[touch.event]) else { return }
        }
        read(person)
        count()
        guard !runs.isEmpty else { return }
        total.add(runs)
        guard report.grouping != .none else { return }
        let share = ActivityCounts.Share(runs: runs)
        if report.grouping.isOfPerson {
            finder.forEachKey(of: event, at: event.occurredAt) { groups.update($0, from: share) { _ in } }
        } else if let touch {
            finder.forEachKey(of: person.events[touch.event], at: touch.time) {
                groups.update($0, from: share) { _ in }
            }
        } else {
            return direct.add(runs)
        }
        groups.endPerson(isRanked: lastRuns[Count.active.rawValue] >= 0)
    }

    /// How many groups have counts.
    var countedGroups: Int { groups.counts.count }

    private mutating func read(_ person: borrowing PersonTimeline) {
        first = nil
        wasActiveBefore = false
        hasBegunActive = false
        for index in activePeriods.indices { activePeriods[index] = false }
        for index in activeDays.indices { activeDays[index] = false }
        // Touches count at their time t.
        for touch in person.touches { note(touch.time) }
        for position in person.events.indices {
            let event = person.events[position]
            switch event.type {
            case .inboundLink, .linkClick: continue
            case .feedPost: if event.outcome != .posted { continue }
            case .authentication: if event.login != .granted { continue }
            case .install, .conversion, .appOpen: break
            }
            note(event.occurredAt)
        }
    }

    private mutating func note(_ time: Timestamp) {
        guard time < end else { return }
        first = first.map { min($0, time) } ?? time
        if before.contains(time) { wasActiveBefore = true }
        if beginning.contains(time) { hasBegunActive = true }
        if let position = periods.position(of: time) { activePeriods[position] = true }
        let day = days.day(of: time).number - firstDay
        if activeDays.indices.contains(day) { activeDays[day] = true }
    }

    private mutating func count() {
        runs.removeAll(keepingCapacity: true)
        for index in lastRuns.indices { lastRuns[index] = -1 }
        // The range cuts who is active in the first period. All else is as if it had begun with the period.
        let firstPeriod = first.flatMap { beginning.contains($0) ? 0 : periods.position(of: $0) }
        var wasActive = wasActiveBefore
        var (day, latest) = (0, Int.min)
        for (position, isActive) in activePeriods.enumerated() {
            if isActive {
                found(.active, position)
                found(firstPeriod == position ? .new : wasActive ? .returning : .resurrected, position)
            } else if wasActive, position > 0 || !hasBegunActive {
                found(.dormant, position)
            }
            wasActive = isActive || position == 0 && hasBegunActive
            let last = lastDays[position] - firstDay
            while day <= last {
                if activeDays[day] { latest = day }
                day += 1
            }
            if latest > last - 7 { found(.active7Days, position) }
            if latest > last - 30 { found(.active30Days, position) }
        }
    }

    private mutating func found(_ count: Count, _ period: Int) {
        let last = lastRuns[count.rawValue]
        if last >= 0, runs[last].extend(to: period) { return }
        lastRuns[count.rawValue] = runs.count
        runs.append(ActivityCounts.Run(count, from: period))
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
        try rows(showing: groups.keys(beside: others?.lazy.map { $0[1] }, report.limit, finder))
    }

    private func rows(showing keys: [GroupKey]) throws -> [[ReportCell]] {
        let (named, others) = try groups.counts(of: keys)
        let fixed = Set(finder.fixedKeys)
        return (0..<periods.count).flatMap { position in
            let present = named.filter { fixed.contains($0.0) || !$0.1.isEmpty(at: position) }
            var rows = finder.ordered(present) { $0[position, .active] }
            if let others, !others.isEmpty(at: position) { rows.append((ReportNames.others, others)) }
            if report.grouping != .none, !report.grouping.isOfPerson { rows.append((ReportNames.direct, direct)) }
            rows.append((ReportNames.total, total))
            return rows.map { name, counts in
                periods.cells(at: position) + [.text(name)] + cells(of: counts, position)
            }
        }
    }

    private func cells(of counts: ActivityCounts, _ position: Int) -> [ReportCell] {
        Count.allCases.map { .integer(counts[position, $0]) } + [
            report.period.length == .day
                ? .fraction(counts[position, .active], of: counts[position, .active30Days]) : .empty
        ]
    }
}
