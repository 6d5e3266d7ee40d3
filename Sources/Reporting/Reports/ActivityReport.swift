import Events
import InboundLinks
import Time
import Timelines

/// How many people are active in each period, and whether they are new, returning or back.
struct ActivityReport: Report {
    static let name = "activity"
    static let summary = "How many people are active in each day, week or month: new, returning, resurrected, dormant."
    static let examples = ["--period week --by channel", "--from 90d --period month --by ref"]
    static let lengths: [PeriodLength] = [.day, .week, .month]
    static let groupings = EventGrouping.allCases.filter { $0 != .day }
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "period",
            "PERIOD",
            "The period of a row.",
            default: "day",
            allowed: lengths.map(\.rawValue)
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "Groups people by a property of their first touch ever.",
            default: "none",
            allowed: groupings.map(\.rawValue)
        ),
        .filter(EventGrouping.filterKeys),
    ]
    static let columns: [ReportColumn] = [
        .text("period", "The first day of the period, a date in the report's time zone. A week starts on Monday.")
            .asCalendar(),
        .text(
            "group",
            "The group by a property of people's first touch ever; `direct` counts people without a touch, `total` counts all."
        ),
        .integer(
            "active",
            unit: "people",
            "People who did something in the period: `new` + `returning` + `resurrected`."
        ),
        .integer("new", unit: "people", "Those of them whose first activity ever lies in the period."),
        .integer("returning", unit: "people", "Those who were active in the period before, too."),
        .integer("resurrected", unit: "people", "Those who were active before, but not in the period before."),
        .integer("dormant", unit: "people", "People who were active in the period before, and not in this one."),
        .integer("active_7d", unit: "people", "People who were active in the 7 days that end with the period."),
        .integer("active_30d", unit: "people", "People who were active in the 30 days that end with the period."),
        .rate("stickiness", "`active` ÷ `active_30d`; empty for weeks and months."),
    ]

    let period: PeriodParameter
    let grouping: EventGrouping
    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = PeriodParameter(try parameters.choice("period", default: .day, among: Self.lengths), named: "period")
        grouping = try parameters.choice("by", default: .none, among: Self.groupings)
        filter = try EventFilter(reading: &parameters, keys: EventGrouping.filterKeys)
    }

    var namedValues: [NamedValue] { filter.namedValues }
    var rowPeriods: RowPeriods? { period.rowPeriods }

    func check(_ range: ReportRange) throws(ReportError) { try period.check(range) }

    /// All of history: it decides who is new, and which touch was the first.
    func query(in range: ReportRange) -> TimelineQuery {
        let ever = Timestamp.spellable.lowerBound
        var query = TimelineQuery(
            types: Set(EventType.allCases),
            touchesFrom: ever,
            eventsFrom: ever,
            through: range.to,
            // They order touches of one instant.
            needs: readsTouch ? .ids : []
        )
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    var readsTouch: Bool { grouping != .none || !filter.isEmpty }

    func makeFold(_ run: ReportRun) -> ActivityFold { ActivityFold(self, run) }
}

struct ActivityFold: ReportFold {
    /// What a row counts, in the order of its columns.
    private enum Count: Int, CaseIterable {
        case active, new, returning, resurrected, dormant, active7Days, active30Days
    }

    /// The counts of a group, those of one period after the other.
    private struct Counts {
        var numbers: [Int64]

        init(periods: Int) { numbers = Array(repeating: 0, count: periods * Count.allCases.count) }

        subscript(period: Int, count: Count) -> Int64 {
            get { numbers[period * Count.allCases.count + count.rawValue] }
            set { numbers[period * Count.allCases.count + count.rawValue] = newValue }
        }

        mutating func merge(_ other: Counts) {
            for index in numbers.indices { numbers[index] += other.numbers[index] }
        }

        func isEmpty(at period: Int) -> Bool {
            Count.allCases.allSatisfy { self[period, $0] == 0 }
        }
    }

    private let length: PeriodLength
    private let grouping: EventGrouping
    private let end: Timestamp
    private let finder: GroupFinder
    private let matcher: EventMatcher?
    private let periods: ReportPeriods
    /// The first instant of the period before the first, and the instant after its last.
    private let before: Range<Timestamp>
    /// The last day of each period within the range.
    private let lastDays: [Int]
    private var days: DayFinder
    private let empty: Counts
    private var total: Counts
    private var direct: Counts
    private var groups: [GroupKey: Counts] = [:]

    // What the current person did.
    private var first: Timestamp?
    private var wasActiveBefore = false
    private var activePeriods: [Bool]
    /// The active days since 30 days before the end of the first period.
    private var activeDays: [Bool]
    private let firstDay: Int
    /// What to add for the current person.
    private var found: [(period: Int, count: Count)] = []

    init(_ report: ActivityReport, _ run: ReportRun) {
        length = report.period.length
        grouping = report.grouping
        end = run.range.to
        matcher = report.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: matcher, run)
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
        empty = Counts(periods: periods.count)
        total = empty
        direct = empty
        for key in finder.fixedKeys { groups[key] = empty }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        let touch = person.touches.first.flatMap { $0.time < end ? $0 : nil }
        if let matcher {
            guard let touch, matcher.keeps(person.events[touch.event]) else { return }
        }
        read(person)
        count()
        guard !found.isEmpty else { return }
        for (period, count) in found { total[period, count] += 1 }
        guard grouping != .none else { return }
        guard let touch else {
            for (period, count) in found { direct[period, count] += 1 }
            return
        }
        finder.forEachKey(of: person.events[touch.event], at: touch.time) { key in
            for (period, count) in found { groups[key, default: empty][period, count] += 1 }
        }
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
        found.removeAll(keepingCapacity: true)
        let firstPeriod = first.flatMap { periods.position(of: $0) }
        var wasActive = wasActiveBefore
        var (day, latest) = (0, Int.min)
        for (position, isActive) in activePeriods.enumerated() {
            if isActive {
                found.append((position, .active))
                found.append((position, firstPeriod == position ? .new : wasActive ? .returning : .resurrected))
            } else if wasActive {
                found.append((position, .dormant))
            }
            wasActive = isActive
            let last = lastDays[position] - firstDay
            while day <= last {
                if activeDays[day] { latest = day }
                day += 1
            }
            if latest > last - 7 { found.append((position, .active7Days)) }
            if latest > last - 30 { found.append((position, .active30Days)) }
        }
    }

    mutating func merge(_ other: ActivityFold) {
        total.merge(other.total)
        direct.merge(other.direct)
        for (key, counts) in other.groups { groups[key, default: empty].merge(counts) }
    }

    consuming func finish() -> [[ReportCell]] {
        let fixed = Set(finder.fixedKeys)
        return (0..<periods.count).flatMap { position in
            let shown = groups.filter { fixed.contains($0.key) || !$0.value.isEmpty(at: position) }
            var rows = finder.ordered(shown.map { ($0.key, $0.value) }) { $0[position, .active] }
            if grouping != .none { rows.append((ReportNames.direct, direct)) }
            rows.append((ReportNames.total, total))
            return rows.map { name, counts in
                let numbers = Count.allCases.map { ReportCell.integer(counts[position, $0]) }
                let stickiness: ReportCell =
                    length == .day
                    ? .fraction(counts[position, .active], of: counts[position, .active30Days]) : .empty
                return periods.cells(at: position) + [.text(name)] + numbers + [stickiness]
            }
        }
    }
}
