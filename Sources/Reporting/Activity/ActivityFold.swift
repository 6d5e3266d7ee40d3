import Events
import InboundLinks
import Time
import Timelines

/// Counts each person of a group in its periods.
///
/// A key may have millions of values, and a group with counts of each period is large. So only the first groups have
/// counts; people of others are logged, and counted at the end if their group is shown. Whoever is in several groups is
/// logged, too, so that people of `(others)` are distinct.
struct ActivityFold: LimitedFold {
    private typealias Count = ActivityCounts.Count

    private struct Group {
        /// How many people were active in the range: the rank among groups.
        var people: UInt32 = 0
        /// The position of the counts; −1: people of the group are logged.
        var counts: Int32 = -1
    }

    /// 4 MB for the counts of groups: those of two thousand in thirty days.
    private static let defaultCountsLimit = 4 << 20

    private let report: ActivityReport
    private let end: Timestamp
    private let finder: GroupFinder
    /// The conditions on people, and on their first touch.
    private let ofPerson: EventMatcher?
    private let matcher: EventMatcher?
    private let periods: ReportPeriods
    /// The first instant of the period before the first, and the instant after its last.
    private let before: Range<Timestamp>
    /// The last day of each period within the range.
    private let lastDays: [Int]
    private var days: DayFinder
    private var total: ActivityCounts
    private var direct: ActivityCounts
    private var positions = GroupPositions()
    private var groups: [Group] = []
    /// Of people who are in one group alone.
    private var counts: [ActivityCounts] = []
    private let countsLimit: Int
    private let log = ActivityLog()
    /// Those of merged folds, with the position here of each of their groups.
    private var logs: [(log: ActivityLog, places: [Int])] = []

    // What the current person did.
    private var first: Timestamp?
    private var wasActiveBefore = false
    private var activePeriods: [Bool]
    /// The active days since 30 days before the end of the first period.
    private var activeDays: [Bool]
    private let firstDay: Int
    /// What to add for the current person.
    private var runs: [ActivityCounts.Run] = []
    /// The place in `runs` of the last run of each count; −1: there is none.
    private var lastRuns = Array(repeating: -1, count: Count.allCases.count)
    private var own: [Int32] = []

    /// - Parameter countsLimit: how much memory the counts of groups may take, in bytes.
    init(_ report: ActivityReport, _ run: ReportRun, countsLimit: Int = defaultCountsLimit) {
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
        lastDays = (0..<periods.count).map {
            run.zone.day(of: periods.end(at: $0).advanced(by: .microseconds(-1))).number
        }
        firstDay = (lastDays.first ?? 0) - 29
        activePeriods = Array(repeating: false, count: periods.count)
        activeDays = Array(repeating: false, count: max(0, (lastDays.last ?? 0) - firstDay + 1))
        total = ActivityCounts(periods: periods.count)
        direct = ActivityCounts(periods: periods.count)
        self.countsLimit = countsLimit / max(1, ActivityCounts.size(periods: periods.count))
        for key in finder.fixedKeys { _ = position(of: key) }
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
        own.removeAll(keepingCapacity: true)
        if report.grouping.isOfPerson {
            finder.forEachKey(of: event, at: event.occurredAt) { own.append(Int32(position(of: $0))) }
        } else if let touch {
            finder.forEachKey(of: person.events[touch.event], at: touch.time) { own.append(Int32(position(of: $0))) }
        } else {
            return direct.add(runs)
        }
        if lastRuns[Count.active.rawValue] >= 0 {
            for group in own { groups[Int(group)].people += 1 }
        }
        if own.count == 1, groups[Int(own[0])].counts >= 0 {
            counts[Int(groups[Int(own[0])].counts)].add(runs)
        } else if !own.isEmpty {
            log.append(runs, to: own)
        }
    }

    private mutating func position(of key: GroupKey) -> Int {
        let (position, isNew) = positions.position(of: key)
        if isNew {
            groups.append(Group())
            if counts.count < countsLimit { addCounts(to: position) }
        }
        return position
    }

    /// How much memory the counts of groups take, in bytes.
    var countsSize: Int { counts.count * ActivityCounts.size(periods: periods.count) }

    private mutating func addCounts(to group: Int) {
        groups[group].counts = Int32(counts.count)
        counts.append(ActivityCounts(periods: periods.count))
    }

    private mutating func read(_ person: borrowing PersonTimeline) {
        first = nil
        wasActiveBefore = false
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
        if let position = periods.position(of: time) { activePeriods[position] = true }
        let day = days.day(of: time).number - firstDay
        if activeDays.indices.contains(day) { activeDays[day] = true }
    }

    private mutating func count() {
        runs.removeAll(keepingCapacity: true)
        for index in lastRuns.indices { lastRuns[index] = -1 }
        let firstPeriod = first.flatMap { periods.position(of: $0) }
        var wasActive = wasActiveBefore
        var (day, latest) = (0, Int.min)
        for (position, isActive) in activePeriods.enumerated() {
            if isActive {
                found(.active, position)
                found(firstPeriod == position ? .new : wasActive ? .returning : .resurrected, position)
            } else if wasActive {
                found(.dormant, position)
            }
            wasActive = isActive
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

    mutating func merge(_ other: ActivityFold) {
        total += other.total
        direct += other.direct
        let places = other.positions.keys.map { position(of: $0) }
        for (position, group) in other.groups.enumerated() {
            let place = places[position]
            groups[place].people += group.people
            guard group.counts >= 0 else { continue }
            if groups[place].counts < 0 { addCounts(to: place) }
            counts[Int(groups[place].counts)] += other.counts[Int(group.counts)]
        }
        logs.append((other.log, places))
        for (log, own) in other.logs { logs.append((log, own.map { places[$0] })) }
    }

    consuming func finish() throws -> [[ReportCell]] {
        try table(of: report.grouping == .channel ? Array(groups.indices) : largest(report.limit))
    }

    /// The groups that the other range shows; then, if that shows all it has, this range's own up to the limit.
    consuming func finish(beside others: [[ReportCell]]) throws -> [[ReportCell]] {
        guard report.grouping != .channel else { return try finish() }
        // The group stands after the period.
        let names = Set(others.compactMap { $0[1].plainText.map { Array($0.utf8) } })
        let shown = named.filter { names.contains(Array(finder.name(of: positions.keys[$0]).utf8)) }
        if names.contains(Array(ReportNames.others.utf8)) { return try table(of: shown) }
        let known = Set(shown)
        let own = largest(report.limit).filter { !known.contains($0) }
        return try table(of: shown + own.prefix(max(0, report.limit - shown.count)))
    }

    /// The groups with the most people who were active in the range; of equal ones, by name, `(none)` last.
    private func largest(_ limit: Int) -> [Int] {
        smallest(limit, of: named) { one, other in
            if groups[one].people != groups[other].people { return groups[one].people > groups[other].people }
            let keys = (positions.keys[one], positions.keys[other])
            if keys.0.isNone != keys.1.isNone { return keys.1.isNone }
            return precedes(finder.name(of: keys.0), finder.name(of: keys.1))
        }
    }

    /// The groups with rows of their own. The values of a declared property that have none are in `(others)`.
    private var named: some Sequence<Int> { groups.indices.lazy.filter { !finder.isOthers(positions.keys[$0]) } }

    private func table(of shown: [Int]) throws -> [[ReportCell]] {
        let isLimited = shown.count < groups.count
        let empty = ActivityCounts(periods: periods.count)
        /// By group: its place among the shown ones.
        var places = Array(repeating: Int32(-1), count: groups.count)
        for (place, group) in shown.enumerated() { places[group] = Int32(place) }
        var rows = shown.map { groups[$0].counts < 0 ? empty : counts[Int(groups[$0].counts)] }
        var others = empty
        for (position, group) in groups.enumerated() where places[position] < 0 && group.counts >= 0 {
            others += counts[Int(group.counts)]
        }
        for (log, own) in [(log, Array(groups.indices))] + logs {
            try log.forEach { groups, runs in
                var isOther = false
                for group in groups {
                    let place = places[own[group]]
                    if place < 0 { isOther = true } else { rows[Int(place)].add(runs) }
                }
                if isOther { others.add(runs) }
            }
        }
        let fixed = Set(finder.fixedKeys)
        let named = zip(shown, rows).map { (key: positions.keys[$0], counts: $1) }
        return (0..<periods.count).flatMap { position in
            let present = named.filter { fixed.contains($0.key) || !$0.counts.isEmpty(at: position) }
            var rows = finder.ordered(present.map { ($0.key, $0.counts) }) { $0[position, .active] }
            if isLimited, !others.isEmpty(at: position) { rows.append((ReportNames.others, others)) }
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
