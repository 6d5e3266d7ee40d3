import Events
import InboundLinks
import Time
import Timelines

/// Puts people into cohorts, and counts who comes back and what they are worth.
struct RetentionFold: PeopleFold, LimitedFold {
    /// The event that puts a person into a cohort.
    private struct Start {
        var time: Timestamp
        /// Position in `PersonTimeline.events`.
        var event: Int
        /// The touch itself; nil for other events.
        var touch: TimelineTouch?
    }

    let report: RetentionReport
    private let range: ReportRange
    let finder: GroupFinder
    /// The conditions on the cohort's event, and on its touch.
    private let ofEvent: EventMatcher?
    private let ofTouch: EventMatcher?
    private let currency: Code
    /// The goals of the cohort and of returns; nil for all.
    private let cohortGoal: Code?
    private let returnGoal: Code?
    /// The number of the period in which the report is asked for.
    let current: Int
    /// The number of the first cohort that is counted by itself. With `--pooled`, all cohorts for which all periods are
    /// over count alike, so they are one.
    private let oldest: Int
    private var days: DayFinder
    var total: Cohorts
    var direct: Cohorts
    var groups: LimitedGroups<Cohorts>
    let answer: AnswerSize
    private var returns: Returns
    private var others: OtherCurrencies

    /// - Parameter countsLimit: how much memory the counts of groups may take, in bytes.
    init(
        _ report: RetentionReport,
        _ run: ReportRun,
        countsLimit: Int = LimitedGroups<Cohorts>.defaultCountsLimit
    ) {
        self.report = report
        answer = run.size
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
        returns = Returns(values: counts.values)
        let (first, last) = (
            report.period.number(of: days.day(of: range.from)), report.period.number(of: days.day(of: range.to))
        )
        oldest = report.isPooled ? max(first, current - report.periods - 1) : first
        total = Cohorts(counts, from: oldest)
        direct = total
        groups = LimitedGroups(
            total,
            size: max(1, last - oldest + 1) * (128 + report.periods * 24),
            countsLimit: countsLimit,
            showsAll: !finder.isOpen,
            run.file
        )
        for key in finder.fixedKeys { groups.position(of: key) }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard person.isPerson, let start = start(of: person), range.contains(start.time) else { return }
        if let ofEvent, !ofEvent.keeps(person.events[start.event]) { return }
        let touch = start.touch ?? (report.readsCredits ? creditedTouch(of: start, by: person) : nil)
        if let ofTouch {
            guard let touch, ofTouch.keeps(person.events[touch.event]) else { return }
        }
        let cohort = readReturns(of: person, since: start, tells: evidence.wanted != nil)
        let own = evidence.wanted.flatMap { self.evidence(of: $0, person.events[start.event], at: start.time) }
        func tell(_ group: PeopleGroup) { if let own { evidence.note(group, own) } }
        total.add(returns)
        tell(.total(in: cohort))
        guard report.grouping != .none else { return }
        let grouped: (event: Int, time: Timestamp)? =
            report.groupsByTouch ? touch.map { ($0.event, $0.time) } : (start.event, start.time)
        guard let grouped else {
            direct.add(returns)
            return tell(.direct(in: cohort))
        }
        finder.forEachKey(of: person.events[grouped.event], at: grouped.time) { key in
            groups.update(key, from: returns) { _ in }
            tell(.named(key, in: cohort))
        }
        groups.endPerson()
    }

    /// What a list says of the current person; nil if the figure is not about this person.
    private func evidence(of figure: PeopleFigure, _ start: TimelineEvent, at time: Timestamp) -> Evidence? {
        let isRetained = returns.periods & (1 << UInt64(report.periods - 1)) != 0
        var evidence: Evidence?
        switch figure {
        case .retained: evidence = isRetained ? returns.evidence : nil
        case .absent: evidence = isRetained ? nil : Evidence(start, first: time, last: time)
        case .lost: evidence = returns.isSeenSince ? nil : Evidence(start, first: time, last: time)
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

    /// Reads what a person did after the cohort's event into `returns`.
    ///
    /// - Returns: the number of the cohort that counts the person.
    private mutating func readReturns(
        of person: borrowing PersonTimeline,
        since start: Start,
        tells: Bool
    ) -> Int {
        let cohort = period(of: start.time)
        returns.begin(max(cohort, oldest))
        let (isAny, isTouch) = (report.returns == .any, report.returns == .touch)
        // Touches count at their time t.
        if isAny || isTouch {
            for touch in person.touches {
                let number = note(touch.time, since: cohort)
                if tells { tell(number, person.events[touch.event], at: touch.time) }
            }
        }
        for position in person.events.indices {
            switch person.events[position].type {
            case .inboundLink, .linkClick: break
            case .feedPost, .install, .authentication, .appOpen:
                if isAny { note(person.events[position], since: cohort, tells: tells) }
            case .conversion:
                let event = person.events[position]
                if isAny || !isTouch && (returnGoal == nil || returnGoal == event.goal) {
                    note(event, since: cohort, tells: tells)
                }
                guard event.value != 0, event.occurredAt >= start.time else { continue }
                let number = period(of: event.occurredAt) - cohort
                guard (0...report.periods).contains(number), showsValues(of: cohort) else { continue }
                others.add(event)
                guard event.currency == currency else { continue }
                returns.values[number] += Int128(event.value)
                returns.hasValues = true
            }
        }
        returns.periods = report.rule.retained(in: returns.periods, last: report.periods, returns.isSeenSince)
        return returns.cohort
    }

    /// Whether rows contain the values of a cohort.
    func showsValues(of cohort: Int) -> Bool {
        !report.isPooled || cohort + report.periods < current
    }

    @inline(__always)
    private mutating func note(_ event: TimelineEvent, since cohort: Int, tells: Bool) {
        let number = note(event.occurredAt, since: cohort)
        if tells { tell(number, event, at: event.occurredAt) }
    }

    /// Sets the bit of the period that contains an instant, if the report shows this period after the cohort's.
    ///
    /// - Returns: the number of the period after the cohort's.
    @inline(__always)
    private mutating func note(_ instant: Timestamp, since cohort: Int) -> Int {
        let number = period(of: instant) - cohort
        guard number > 0 else { return number }
        if number <= report.periods { returns.periods |= 1 << UInt64(number - 1) }
        if number >= report.periods { returns.isSeenSince = true }
        return number
    }

    /// Notes for a list of people what happened in a period after the cohort's.
    private mutating func tell(_ number: Int, _ event: TimelineEvent, at instant: Timestamp) {
        guard number > 0, report.rule.counts(number, of: report.periods) else { return }
        let evidence = Evidence(event, first: instant, last: instant)
        if returns.evidence == nil { returns.evidence = evidence } else { returns.evidence? += evidence }
    }

    private mutating func period(of instant: Timestamp) -> Int {
        report.period.number(of: days.day(of: instant))
    }

    var otherCurrencies: [OtherCurrencies] { [others] }

    var size: Int { groups.size }
    /// How many groups have counts.
    var countedGroups: Int { groups.counts.count }

    mutating func merge(_ other: RetentionFold) {
        others += other.others
        total += other.total
        direct += other.direct
        groups.merge(other.groups)
    }
}
