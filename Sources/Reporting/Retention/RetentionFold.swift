import Events
import InboundLinks
import Time
import Timelines

/// Puts people into cohorts, and counts who comes back and what they are worth.
struct RetentionFold: PeopleFold {
    /// What a person did after the cohort's event.
    private struct Returns {
        /// Bit n is set if the person came back in the n-th period.
        var periods: UInt64 = 0
        /// In millionths of the app's currency, by period, from the cohort's own.
        var values: [Int128]
        var hasValues = false
        /// What counts as coming back in the last period that is shown.
        var evidence: Evidence?

        mutating func begin() {
            periods = 0
            evidence = nil
            guard hasValues else { return }
            for index in values.indices { values[index] = 0 }
            hasValues = false
        }
    }

    private struct Counts {
        var people: Int64 = 0
        /// By period, from the first after the cohort's.
        var retained: [Int64]
        /// By period, from the cohort's own.
        var values: [Int128]

        init(periods: Int) {
            retained = Array(repeating: 0, count: periods)
            values = Array(repeating: 0, count: periods + 1)
        }

        mutating func add(_ returns: borrowing Returns) {
            people += 1
            for index in retained.indices where returns.periods & (1 << UInt64(index)) != 0 { retained[index] += 1 }
            guard returns.hasValues else { return }
            for index in values.indices { values[index] += returns.values[index] }
        }

        mutating func merge(_ other: Counts) {
            people += other.people
            for index in retained.indices { retained[index] += other.retained[index] }
            for index in values.indices { values[index] += other.values[index] }
        }
    }

    private struct Cohort {
        var total: Counts
        var direct: Counts
        var groups: [GroupKey: Counts]

        mutating func merge(_ other: Cohort, empty: Counts) {
            total.merge(other.total)
            direct.merge(other.direct)
            for (key, counts) in other.groups { groups[key, default: empty].merge(counts) }
        }
    }

    /// The event that puts a person into a cohort.
    private struct Start {
        var time: Timestamp
        /// Position in `PersonTimeline.events`.
        var event: Int
        /// The touch itself; nil for other events.
        var touch: TimelineTouch?
    }

    private let report: RetentionReport
    private let range: ReportRange
    private let finder: GroupFinder
    /// The conditions on the cohort's event, and on its touch.
    private let ofEvent: EventMatcher?
    private let ofTouch: EventMatcher?
    private let currency: Code
    /// The goals of the cohort and of returns; nil for all.
    private let cohortGoal: Code?
    private let returnGoal: Code?
    /// The number of the period in which the report is asked for.
    private let current: Int
    private var days: DayFinder
    private let emptyCounts: Counts
    private let emptyCohort: Cohort
    /// By the number of the period.
    private var cohorts: [Int: Cohort] = [:]
    private var returns: Returns
    private var others: OtherCurrencies

    init(_ report: RetentionReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        others = OtherCurrencies(run)
        ofEvent = report.filter.only { $0.isOfCohort }.makeMatcher(run.dictionary)
        ofTouch = report.filter.only { !$0.isOfCohort }.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: ofTouch, run)
        currency = run.dictionary.code(of: run.currency, as: .currency)
        func code(ofGoal name: String) -> Code { run.dictionary.code(of: name, as: .goal) }
        cohortGoal = if case .conversion(let name?) = report.cohort { code(ofGoal: name) } else { nil }
        returnGoal = if case .conversion(let name?) = report.returns { code(ofGoal: name) } else { nil }
        current = report.period.number(of: run.zone.day(of: run.now))
        days = DayFinder(zone: run.zone)
        let counts = Counts(periods: report.periods)
        emptyCounts = counts
        returns = Returns(values: counts.values)
        emptyCohort = Cohort(
            total: counts,
            direct: counts,
            groups: Dictionary(uniqueKeysWithValues: finder.fixedKeys.map { ($0, counts) })
        )
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard person.isPerson, let start = start(of: person), range.contains(start.time) else { return }
        if let ofEvent, !ofEvent.keeps(person.events[start.event]) { return }
        let touch = start.touch ?? (report.readsCredits ? creditedTouch(of: start, by: person) : nil)
        if let ofTouch {
            guard let touch, ofTouch.keeps(person.events[touch.event]) else { return }
        }
        let cohort = report.period.number(of: days.day(of: start.time))
        readReturns(of: person, since: start, cohort, tells: evidence.wanted != nil)
        let own = evidence.wanted.flatMap { self.evidence(of: $0, person.events[start.event], at: start.time) }
        func tell(_ group: PeopleGroup) { if let own { evidence.note(group, own) } }
        cohorts[cohort, default: emptyCohort].total.add(returns)
        tell(.total(in: cohort))
        guard report.grouping != .none else { return }
        let grouped: (event: Int, time: Timestamp)? =
            report.groupsByTouch ? touch.map { ($0.event, $0.time) } : (start.event, start.time)
        guard let grouped else {
            cohorts[cohort, default: emptyCohort].direct.add(returns)
            return tell(.direct(in: cohort))
        }
        finder.forEachKey(of: person.events[grouped.event], at: grouped.time) { key in
            cohorts[cohort, default: emptyCohort].groups[key, default: emptyCounts].add(returns)
            tell(.named(key, in: cohort))
        }
    }

    /// What a list says of the current person; nil if the figure is not about this person.
    private func evidence(of figure: PeopleFigure, _ start: TimelineEvent, at time: Timestamp) -> Evidence? {
        let isRetained = returns.periods & (1 << UInt64(report.periods - 1)) != 0
        var evidence: Evidence?
        switch figure {
        case .retained: evidence = isRetained ? returns.evidence : nil
        case .lost: evidence = isRetained ? nil : Evidence(start, first: time, last: time)
        default: evidence = nil
        }
        if returns.hasValues { evidence?.value = returns.values[report.periods] * Int128(CreditUnits.one) }
        return evidence
    }

    private func creditedTouch(of start: Start, by person: borrowing PersonTimeline) -> TimelineTouch? {
        let event = CreditedEvent(
            position: start.event,
            time: start.time,
            isInstall: report.cohort == .install,
            value: 0
        )
        return person.lastTouch(before: event, within: report.lookback.microseconds)
    }

    private func start(of person: borrowing PersonTimeline) -> Start? {
        switch report.cohort {
        case .touch:
            return person.touches.first.map { Start(time: $0.time, event: $0.event, touch: $0) }
        case .touchInRange:
            let first = person.touches.firstPosition { $0.time >= range.from }
            guard first < person.touches.count else { return nil }
            let touch = person.touches[first]
            return Start(time: touch.time, event: touch.event, touch: touch)
        case .install:
            guard let position = person.countedInstalls.first else { return nil }
            return Start(time: person.events[position].occurredAt, event: position)
        case .authentication:
            return authentication(of: person)
        case .conversion:
            for position in person.events.indices {
                guard case .conversion = person.events[position].type,
                    cohortGoal == nil || cohortGoal == person.events[position].goal
                else { continue }
                return Start(time: person.events[position].occurredAt, event: position)
            }
            return nil
        }
    }

    /// The first granted login, or the first link that carried a token.
    private func authentication(of person: borrowing PersonTimeline) -> Start? {
        var login: Start?
        for position in person.events.indices {
            guard case .authentication = person.events[position].type, case .granted = person.events[position].login
            else { continue }
            login = Start(time: person.events[position].occurredAt, event: position)
            break
        }
        for touch in person.touches where touch.isAuthenticated && !touch.isLinkClick {
            if let login, (login.time, person.events[login.event].id) < (touch.time, touch.id) { return login }
            return Start(time: touch.time, event: touch.event)
        }
        return login
    }

    private mutating func readReturns(
        of person: borrowing PersonTimeline,
        since start: Start,
        _ cohort: Int,
        tells: Bool
    ) {
        returns.begin()
        let (isAny, isTouch) = (report.returns == .any, report.returns == .touch)
        // Touches count at their time t.
        if isAny || isTouch {
            for touch in person.touches {
                note(touch.time, since: cohort, tells ? person.events[touch.event] : nil)
            }
        }
        for position in person.events.indices {
            switch person.events[position].type {
            case .inboundLink, .linkClick: break
            case .feedPost, .install, .authentication, .appOpen:
                if isAny {
                    note(person.events[position].occurredAt, since: cohort, tells ? person.events[position] : nil)
                }
            case .conversion:
                let event = person.events[position]
                if isAny || !isTouch && (returnGoal == nil || returnGoal == event.goal) {
                    note(event.occurredAt, since: cohort, tells ? event : nil)
                }
                guard event.value != 0, event.occurredAt >= start.time else { continue }
                let number = period(of: event.occurredAt) - cohort
                guard (0...report.periods).contains(number), isShown(number, of: cohort) else { continue }
                others.add(event)
                guard event.currency == currency else { continue }
                returns.values[number] += Int128(event.value)
                returns.hasValues = true
            }
        }
    }

    /// Whether some row may contain the value of the n-th period of a cohort.
    private func isShown(_ number: Int, of cohort: Int) -> Bool {
        !report.isPooled || report.shown.contains { $0 >= number && cohort + $0 < current }
    }

    /// Sets the bit of the period that contains an instant, if the report shows this period after the cohort's.
    ///
    /// - Parameter event: what happened then, for a list of people.
    private mutating func note(_ instant: Timestamp, since cohort: Int, _ event: TimelineEvent?) {
        let number = period(of: instant) - cohort
        guard (1...report.periods).contains(number) else { return }
        returns.periods |= 1 << UInt64(number - 1)
        guard let event, number == report.periods else { return }
        let evidence = Evidence(event, first: instant, last: instant)
        if returns.evidence == nil { returns.evidence = evidence } else { returns.evidence? += evidence }
    }

    private mutating func period(of instant: Timestamp) -> Int {
        report.period.number(of: days.day(of: instant))
    }

    var otherCurrencies: [OtherCurrencies] { [others] }

    mutating func merge(_ other: RetentionFold) {
        others += other.others
        for (number, cohort) in other.cohorts {
            cohorts[number, default: emptyCohort].merge(cohort, empty: emptyCounts)
        }
    }

    consuming func finish() -> [[ReportCell]] {
        guard !report.isPooled else { return rows(of: pooled(), named: ReportNames.total) }
        return cohorts.sorted { $0.key < $1.key }.flatMap { number, cohort in
            let periods = report.shown.map { ($0, cohort) }
            return rows(of: periods, named: report.period.firstDay(ofPeriod: number).description)
        }
    }

    func peopleRows() -> [PeopleRow] {
        if report.isPooled {
            let over = cohorts.keys.filter { $0 + report.periods < current }
            return pooled().first.map { peopleRows(of: $0.cohort, named: ReportNames.total, over) } ?? []
        }
        return cohorts.sorted { $0.key < $1.key }.flatMap { number, cohort in
            peopleRows(of: cohort, named: report.period.firstDay(ofPeriod: number).description, [number])
        }
    }

    /// - Parameter numbers: the cohorts that the rows are about.
    private func peopleRows(of cohort: Cohort, named name: String, _ numbers: [Int]) -> [PeopleRow] {
        func row(_ group: String, isTotal: Bool = false, _ make: (Int) -> PeopleGroup) -> PeopleRow {
            PeopleRow(names: [.text(name), .text(group)], groups: numbers.map(make), isTotal: isTotal)
        }
        let groups = finder.ordered(cohort.groups.map { ($0.key, (key: $0.key, people: $0.value.people)) }) {
            $0.people
        }
        return groups.map { group in row(group.name) { .named(group.counts.key, in: $0) } }
            + (report.hasDirect ? [row(ReportNames.direct) { .direct(in: $0) }] : [])
            + [row(ReportNames.total, isTotal: true) { .total(in: $0) }]
    }

    /// For each period all cohorts together for which it is over.
    private func pooled() -> [(period: Int, cohort: Cohort)] {
        report.shown.map { period in
            var pool = emptyCohort
            for (number, cohort) in cohorts where number + period < current {
                pool.merge(cohort, empty: emptyCounts)
            }
            return (period, pool)
        }
    }

    /// - Parameter periods: each period after the first that is shown, with the people whom it counts.
    private func rows(of periods: [(period: Int, cohort: Cohort)], named name: String) -> [[ReportCell]] {
        // The first has the most people, and all groups.
        guard let first = periods.first?.cohort else { return [] }
        var groups: [(name: String, counts: (Cohort) -> Counts)] =
            finder
            .ordered(first.groups.map { ($0.key, (key: $0.key, people: $0.value.people)) }) { $0.people }
            .map { group in (group.name, { [emptyCounts] in $0.groups[group.counts.key] ?? emptyCounts }) }
        if report.hasDirect { groups.append((ReportNames.direct, { $0.direct })) }
        groups.append((ReportNames.total, { $0.total }))
        return groups.flatMap { group, counts in
            periods.map { period, cohort in
                let counts = counts(cohort)
                let cumulative = counts.values[...period].reduce(0, +)
                return [
                    .text(name), .text(group), .integer(Int64(period)), .integer(counts.people),
                    .integer(counts.retained[period - 1]), .fraction(counts.retained[period - 1], of: counts.people),
                    .decimal(millionths: counts.values[period]), .decimal(millionths: cumulative),
                    .fraction(cumulative, of: Int128(counts.people) * 1_000_000),
                ]
            }
        }
    }
}
