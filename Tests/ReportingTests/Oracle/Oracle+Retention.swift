import Events
import Foundation
import Time

extension Oracle {
    enum Period: String, CaseIterable {
        case day, week, month
    }

    struct RetentionQuery {
        var span: Span
        var period: Period = .day
        /// The periods after the cohort's own that are shown.
        var periods: ClosedRange<Int> = 1...8
        var grouping: Grouping = .ungrouped
        /// `touch`, `touch_in_range`, or a step of a funnel.
        var cohort = "touch"
        /// `any`, or a step of a funnel.
        var returns = "any"
        var lookback: Duration = .days(7)

        var isOfTouches: Bool { ["touch", "touch_in_range"].contains(cohort) }
    }

    /// `cohort, group, period, people, retained, rate, value, cumulative_value, value_per_person`
    ///
    /// Chosen: the first event is the first by (t, event_id). Periods are days, weeks (from Monday) and months of the
    /// calendar, and are counted from the cohort's. A touch happens at its t, and a re-install is an event like any
    /// other. In future periods nobody is retained. Within a cohort, groups are ordered as in a funnel, with `direct`
    /// and `total` last; a cohort without people is not shown.
    func retention(_ query: RetentionQuery) -> [[String]] {
        let starts = firstEvents(query).filter { query.span.contains($0.value.time) && isKept($0.value, query) }
        let cohorts = Dictionary(grouping: starts.keys) { person in
            starts[person].map { period(of: $0.time, query.period) } ?? 0
        }
        return cohorts.sorted { $0.key < $1.key }.flatMap { cohort, people in
            var peopleByGroup: [Name: [Person]] = [:]
            for person in people {
                guard let start = starts[person] else { continue }
                for group in groups(ofCohort: start, query) { peopleByGroup[group, default: []].append(person) }
            }
            var names = Self.ordered(Set(peopleByGroup.keys).subtracting([.direct]), by: query.grouping) { name in
                Fraction(peopleByGroup[name]?.count ?? 0)
            }
            if !query.isOfTouches, query.grouping.isOfTouches { names.append(.direct) }
            peopleByGroup[.total] = people
            return (names + [.total]).flatMap { name in
                rows(of: peopleByGroup[name] ?? [], starts, cohort: cohort, query).map { cells in
                    [label(ofPeriod: cohort, query.period), name.text] + cells
                }
            }
        }
    }

    /// The first event of each person that begins a cohort.
    private func firstEvents(_ query: RetentionQuery) -> [Person: Fact] {
        let candidates = facts.filter { fact in
            query.cohort == "touch_in_range"
                ? fact.touch != nil && query.span.contains(fact.time)
                : Self.serves(fact, step: query.cohort)
        }
        var firsts: [Person: Fact] = [:]
        for fact in candidates.sorted(by: { ($0.time, $0.eventID) < ($1.time, $1.eventID) }) {
            guard let person = fact.person, firsts[person] == nil else { continue }
            firsts[person] = fact
        }
        return firsts
    }

    /// `--where`: "The figures are those of the row of `--by`." So a condition on the platform concerns the event, and
    /// others concern the touch.
    private func isKept(_ start: Fact, _ query: RetentionQuery) -> Bool {
        guard filtered(by: conditions.filter { !$0.key.isOfTouches }).isKept(start) else { return false }
        let ofTouch = filtered(by: conditions.filter { $0.key.isOfTouches })
        if ofTouch.conditions.isEmpty { return true }
        let touch = query.isOfTouches ? start : touches(before: start, lookback: query.lookback).last
        return touch.map(ofTouch.isKept) ?? false
    }

    /// docs/reports.md, *retention*: the platform and the day are those of the event; other properties are those of
    /// the touch, or of the last touch before the event.
    private func groups(ofCohort start: Fact, _ query: RetentionQuery) -> [Name] {
        guard query.grouping.isOfTouches, !query.isOfTouches else { return groups(of: start, by: query.grouping) }
        guard let touch = touches(before: start, lookback: query.lookback).last else { return [.direct] }
        return groups(of: touch, by: query.grouping)
    }

    private func rows(
        of people: [Person],
        _ starts: [Person: Fact],
        cohort: Int,
        _ query: RetentionQuery
    ) -> [[String]] {
        func value(of number: Int) -> Fraction {
            Fraction.sum(
                facts.compactMap { fact in
                    guard let person = fact.person, people.contains(person), let start = starts[person],
                        fact.time >= start.time, period(of: fact.time, query.period) == cohort + number
                    else { return nil }
                    return self.value(of: fact)
                }
            )
        }
        return query.periods.map { number in
            let retained = people.count { person in
                facts.contains { fact in
                    fact.person == person && period(of: fact.time, query.period) == cohort + number
                        && (query.returns == "any" || Self.serves(fact, step: query.returns))
                }
            }
            let cumulative = Fraction.sum((0...number).map(value))
            return [
                String(number), String(people.count), String(retained), Cell.rate(retained, of: people.count),
                Cell.amount(value(of: number)), Cell.amount(cumulative),
                Cell.rate(cumulative, of: Fraction(people.count)),
            ]
        }
    }

    /// "Only cohorts whose last period is over when the report is asked for."
    func matured(_ query: RetentionQuery, now: Timestamp) -> RetentionQuery {
        var query = query
        let first = period(of: now, query.period) - query.periods.upperBound
        query.span = query.span.before(startOfDay(dayNumber(label(ofPeriod: first, query.period))))
        return query
    }

    func number(of time: Timestamp, _ period: Period) -> Int { self.period(of: time, period) }

    func firstDay(of number: Int, _ period: Period) -> String { label(ofPeriod: number, period) }

    func place(ofDate date: String, since time: Timestamp, _ period: Period) -> Int {
        self.period(of: startOfDay(dayNumber(date)), period) - self.period(of: time, period)
    }

    /// 1970-01-01 is 0.
    private func dayNumber(_ date: String) -> Int { CivilDate(date)?.number ?? 0 }

    /// The number of a day, of a week (that of its Monday, in weeks since the Monday before 1970-01-01), or of a month.
    private func period(of time: Timestamp, _ period: Period) -> Int {
        let day = day(of: time)
        switch period {
        case .day: return day
        case .week: return (Self.firstDayOfWeek(ofDay: day) + 3) / 7
        case .month:
            let parts = Self.date(ofDay: day).split(separator: "-").compactMap { Int($0) }
            return parts[0] * 12 + parts[1] - 1
        }
    }

    /// The date of a period's first day.
    private func label(ofPeriod number: Int, _ period: Period) -> String {
        switch period {
        case .day: return Self.date(ofDay: number)
        case .week: return Self.date(ofDay: number * 7 - 3)
        case .month:
            let month = number % 12 + 1
            return "\(number / 12)-\(month < 10 ? "0" : "")\(month)-01"
        }
    }
}

extension Oracle.Grouping {
    /// Whether only touches have the property.
    var isOfTouches: Bool {
        switch self {
        case .ungrouped, .platform, .day: false
        case .channel, .ref, .refererApp, .targetURL, .link, .authenticated, .deferred, .paid, .linkForm: true
        }
    }
}
