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
        var periods: [Int] = Array(1...8)
        /// All cohorts together, each period over the people for whom it is over then.
        var pooledAt: Timestamp?
        var grouping: Grouping = .ungrouped
        /// How many groups are shown, if there may be any number.
        var limit = 50
        /// `touch`, `touch_in_range`, or a step of a funnel.
        var cohort = "touch"
        /// `any`, or a step of a funnel.
        var returns = "any"
        /// `on`, `within` or `after`
        var rule = "on"
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
        var sizes: [[Name]: Int] = [:]
        for start in starts.values {
            for group in groups(ofCohort: start, query) where group != .direct { sizes[[group], default: 0] += 1 }
        }
        let shown = Set(Self.largest(sizes, by: [query.grouping], query.limit).map { $0[0] })
        /// The rows of a person. Somebody who is in several of `(others)` counts there once.
        func rowNames(_ start: Fact) -> Set<Name> {
            Set(groups(ofCohort: start, query).map { shown.contains($0) || $0 == .direct ? $0 : .others })
        }
        if let now = query.pooledAt { return pooled(cohorts, starts, query, now, rowNames) }
        return cohorts.sorted { $0.key < $1.key }.flatMap { cohort, people in
            var peopleByGroup: [Name: [Person]] = [:]
            for person in people {
                guard let start = starts[person] else { continue }
                for group in rowNames(start) { peopleByGroup[group, default: []].append(person) }
            }
            var names = Self.ordered(Set(peopleByGroup.keys).subtracting([.direct, .others]), by: query.grouping) {
                Fraction(peopleByGroup[$0]?.count ?? 0)
            }
            if peopleByGroup[.others] != nil { names.append(.others) }
            if !query.isOfTouches, query.grouping.isOfTouches { names.append(.direct) }
            peopleByGroup[.total] = people
            return (names + [.total]).flatMap { name in
                rows(of: peopleByGroup[name] ?? [], starts, cohort: cohort, query).map { cells in
                    [label(ofPeriod: cohort, query.period), name.text] + cells
                }
            }
        }
    }

    /// Chosen: the groups are those of the first period that is shown, and their order.
    private func pooled(
        _ cohorts: [Int: [Person]],
        _ starts: [Person: Fact],
        _ query: RetentionQuery,
        _ now: Timestamp,
        _ rowNames: (Fact) -> Set<Name>
    ) -> [[String]] {
        let last = period(of: now, query.period)
        /// The people of a group for whom a period is over, by cohort.
        func people(_ group: Name, _ number: Int) -> [Int: [Person]] {
            cohorts.filter { $0.key + number < last }.mapValues { people in
                people.filter { person in
                    group == .total || starts[person].map { rowNames($0).contains(group) } ?? false
                }
            }
        }
        let first = query.periods.first ?? 1
        let found = Set(
            people(.total, first).values.joined().flatMap { person in
                starts[person].map(rowNames) ?? []
            }
        )
        var names = Self.ordered(found.subtracting([.direct, .others]), by: query.grouping) { name in
            Fraction(people(name, first).values.joined().count)
        }
        if found.contains(.others) { names.append(.others) }
        if !query.isOfTouches, query.grouping.isOfTouches { names.append(.direct) }
        return (names + [.total]).flatMap { name in
            query.periods.map { number in
                var one = query
                one.periods = [number]
                var (count, retained, valued) = (0, 0, 0)
                var (value, cumulative) = (Fraction.zero, Fraction.zero)
                for (cohort, people) in people(name, number) {
                    count += people.count
                    retained += self.retained(people, number, cohort, query)
                }
                // "The columns of values are of one population in all periods: those for whom the last one is over."
                for (cohort, people) in people(name, query.periods.last ?? 1) {
                    valued += people.count
                    value = Fraction.sum([value, self.value(of: people, starts, number, cohort, query)])
                    cumulative = Fraction.sum(
                        [cumulative] + (0...number).map { self.value(of: people, starts, $0, cohort, query) }
                    )
                }
                var told = cells(number, count, retained, value, cumulative)
                told[6] = Cell.rate(cumulative, of: Fraction(valued))
                // "While nobody has had the last period, these columns are empty."
                if valued == 0 { (told[4], told[5]) = (Cell.undefined, Cell.undefined) }
                return ["total", name.text] + told
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
    func isKept(_ start: Fact, _ query: RetentionQuery) -> Bool {
        guard filtered(by: conditions.filter { !$0.key.isOfTouches }).isKept(start) else { return false }
        let ofTouch = filtered(by: conditions.filter { $0.key.isOfTouches })
        if ofTouch.conditions.isEmpty { return true }
        let touch = query.isOfTouches ? start : touches(before: start, lookback: query.lookback).last
        return touch.map(ofTouch.isKept) ?? false
    }

    /// docs/reports.md, *retention*: the platform and the day are those of the event; other properties are those of
    /// the touch, or of the last touch before the event.
    func groups(ofCohort start: Fact, _ query: RetentionQuery) -> [Name] {
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
        query.periods.map { number in
            cells(
                number,
                people.count,
                retained(people, number, cohort, query),
                value(of: people, starts, number, cohort, query),
                Fraction.sum((0...number).map { value(of: people, starts, $0, cohort, query) })
            )
        }
    }

    private func cells(
        _ number: Int,
        _ people: Int,
        _ retained: Int,
        _ value: Fraction,
        _ cumulative: Fraction
    ) -> [String] {
        [
            String(number), String(people), String(retained), Cell.rate(retained, of: people), Cell.amount(value),
            Cell.amount(cumulative), Cell.rate(cumulative, of: Fraction(people)),
        ]
    }

    /// "In the n-th period itself; in any of the periods 1 to n; in the n-th or any later one."
    private func retained(_ people: [Person], _ number: Int, _ cohort: Int, _ query: RetentionQuery) -> Int {
        let all = ["on": number...number, "within": 1...number, "after": number...1_000_000]
        return people.count { person in
            facts.contains { fact in
                fact.person == person
                    && all[query.rule]?.contains(period(of: fact.time, query.period) - cohort) == true
                    && (query.returns == "any" || Self.serves(fact, step: query.returns))
            }
        }
    }

    private func value(
        of people: [Person],
        _ starts: [Person: Fact],
        _ number: Int,
        _ cohort: Int,
        _ query: RetentionQuery
    ) -> Fraction {
        Fraction.sum(
            facts.compactMap { fact in
                guard let person = fact.person, people.contains(person), let start = starts[person],
                    fact.time >= start.time, period(of: fact.time, query.period) == cohort + number
                else { return nil }
                return self.value(of: fact)
            }
        )
    }

    /// "Only cohorts whose last period is over when the report is asked for."
    func matured(_ query: RetentionQuery, now: Timestamp) -> RetentionQuery {
        var query = query
        let first = period(of: now, query.period) - (query.periods.last ?? 1)
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
