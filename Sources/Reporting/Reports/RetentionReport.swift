import Events
import Time
import Timelines

/// How many people come back in the days or weeks after their first touch.
struct RetentionReport: Report {
    static let name = "retention"
    static let summary =
        "People by the day or week of their first touch, and how many come back in the periods after it."
    /// The capacity of a person's set of periods.
    static let periodLimit = 64
    static let examples = ["--periods 3", "--from 30d --period week --by channel"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "period",
            "PERIOD",
            "The period by which people are grouped and counted.",
            default: "day",
            allowed: RetentionPeriod.allCases.map(\.rawValue)
        ),
        ReportParameter("periods", "NUMBER", "How many periods after the first, 1–\(periodLimit).", default: "8"),
        ReportParameter(
            "by",
            "GROUPING",
            "Groups by a property of the first touch.",
            default: "none",
            allowed: EventGrouping.allCases.map(\.rawValue)
        ),
    ]
    static let columns: [ReportColumn] = [
        .text("cohort", "The first day of the period in which people had their first touch of the range, a date."),
        .text("group", "The group by a property of the first touch; `total` for all."),
        .integer("period", unit: "days or weeks", "The n-th period after the cohort's own, from 1."),
        .integer("people", unit: "people", "People of the cohort."),
        .integer(
            "retained",
            unit: "people",
            "Those of them with any event in that period; a touch counts at its own time."
        ),
        .rate("rate", "`retained` ÷ `people`."),
    ]

    let period: RetentionPeriod
    let periods: Int
    let grouping: EventGrouping

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try parameters.choice("period", default: .day)
        periods = try parameters.count("periods", default: 8, allowed: 1...Self.periodLimit)
        grouping = try parameters.choice("by", default: .none)
    }

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(
            types: Set(EventType.allCases),
            touchesFrom: range.from,
            eventsFrom: range.from,
            // One day more, for days on which clocks are put back.
            through: range.to.advanced(by: .seconds(((periods + 1) * period.days + 1) * 86_400)),
            needsRefs: grouping == .ref,
            needsReferers: grouping == .refererApp,
            needsTargets: grouping == .targetURL,
            needsLinks: grouping == .link
        )
    }

    func makeFold(_ run: ReportRun) -> RetentionFold {
        RetentionFold(self, run)
    }
}

struct RetentionFold: ReportFold {
    private struct Counts {
        var people: Int64 = 0
        /// By period, from the first after the cohort's.
        var retained: [Int64]

        mutating func add(periods: UInt64) {
            people += 1
            for index in retained.indices where periods & (1 << UInt64(index)) != 0 { retained[index] += 1 }
        }

        mutating func merge(_ other: Counts) {
            people += other.people
            for index in retained.indices { retained[index] += other.retained[index] }
        }
    }

    private struct Cohort {
        var total: Counts
        var groups: [GroupKey: Counts]
    }

    private let report: RetentionReport
    private let range: ReportRange
    private let finder: GroupFinder
    private var days: DayFinder
    private let emptyCounts: Counts
    private let emptyCohort: Cohort
    /// By the first day.
    private var cohorts: [CivilDate: Cohort] = [:]

    init(_ report: RetentionReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        finder = GroupFinder(report.grouping, run)
        days = DayFinder(zone: run.zone)
        let counts = Counts(retained: Array(repeating: 0, count: report.periods))
        emptyCounts = counts
        emptyCohort = Cohort(
            total: counts,
            groups: Dictionary(uniqueKeysWithValues: finder.fixedKeys.map { ($0, counts) })
        )
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        let first = person.touches.firstPosition { $0.time >= range.from }
        guard first < person.touches.count, range.contains(person.touches[first].time) else { return }
        let touch = person.touches[first]
        let start = report.period.start(of: days.day(of: touch.time))

        var periods: UInt64 = 0
        for touch in person.touches { note(touch.time, since: start, in: &periods) }
        for position in person.events.indices {
            switch person.events[position].type {
            // Touches count at their time t instead.
            case .inboundLink, .linkClick: break
            case .feedPost, .install, .authentication, .conversion:
                note(person.events[position].occurredAt, since: start, in: &periods)
            }
        }

        cohorts[start, default: emptyCohort].total.add(periods: periods)
        finder.forEachKey(of: person.events[touch.event], at: touch.time) { key in
            cohorts[start, default: emptyCohort].groups[key, default: emptyCounts].add(periods: periods)
        }
    }

    /// Sets the bit of the period that contains an instant, if the report shows this period after the cohort's.
    private mutating func note(_ instant: Timestamp, since start: CivilDate, in periods: inout UInt64) {
        let day = report.period.start(of: days.day(of: instant))
        let number = (day.number - start.number) / report.period.days
        if (1...report.periods).contains(number) { periods |= 1 << UInt64(number - 1) }
    }

    mutating func merge(_ other: RetentionFold) {
        for (start, cohort) in other.cohorts {
            cohorts[start, default: emptyCohort].total.merge(cohort.total)
            for (key, counts) in cohort.groups {
                cohorts[start, default: emptyCohort].groups[key, default: emptyCounts].merge(counts)
            }
        }
    }

    consuming func finish() -> [[ReportCell]] {
        let ordered = cohorts.sorted {
            $0.value.total.people == $1.value.total.people
                ? $0.key < $1.key : $0.value.total.people > $1.value.total.people
        }
        return ordered.flatMap { start, cohort in rows(of: cohort, start: start) }
    }

    private func rows(of cohort: Cohort, start: CivilDate) -> [[ReportCell]] {
        let groups = finder.ordered(cohort.groups.map { ($0.key, $0.value) }) { $0.people }
        var rows: [[ReportCell]] = []
        for (name, counts) in groups + [(ReportNames.total, cohort.total)] {
            for (index, retained) in counts.retained.enumerated() {
                rows.append([
                    .text(start.description), .text(name), .integer(Int64(index + 1)), .integer(counts.people),
                    .integer(retained), .fraction(retained, of: counts.people),
                ])
            }
        }
        return rows
    }
}
