import Events
import Foundation
import Time

extension Oracle {
    enum Period: String, CaseIterable {
        case day, week
    }

    struct RetentionQuery {
        var span: Span
        var period: Period = .day
        /// The periods after the cohort's own that are shown.
        var periods: ClosedRange<Int> = 1...8
        var grouping: Grouping = .ungrouped
        /// Whether cohorts sort by people, descending, or by date.
        var sortsCohortsByPeople = true
    }

    /// `cohort, group, period, people, retained, rate`
    ///
    /// Chosen: the first touch is the first one in the range, by (t, event_id); it decides the cohort and the group.
    /// Periods are days and weeks (from Monday) of the calendar, and are counted from the cohort's. A touch happens at
    /// its t, and a re-install is an event like any other. In future periods nobody is retained. Within a cohort,
    /// groups are ordered as in a funnel, with `total` last; a cohort without people is not shown.
    func retention(_ query: RetentionQuery) -> [[String]] {
        var firstTouches: [Person: Fact] = [:]
        let inRange = touches.filter { query.span.contains($0.time) }
        for touch in inRange.sorted(by: { ($0.time, $0.eventID) < ($1.time, $1.eventID) }) {
            guard let person = touch.person, firstTouches[person] == nil else { continue }
            firstTouches[person] = touch
        }

        let cohorts = Dictionary(grouping: firstTouches.keys) { person in
            firstTouches[person].map { period(of: $0.time, query.period) } ?? 0
        }
        .sorted { first, second in
            query.sortsCohortsByPeople && first.value.count != second.value.count
                ? first.value.count > second.value.count : first.key < second.key
        }

        return cohorts.flatMap { cohort, people in
            var peopleByGroup: [Name: [Person]] = [:]
            for person in people {
                guard let touch = firstTouches[person] else { continue }
                for group in groups(of: touch, by: query.grouping) {
                    peopleByGroup[group, default: []].append(person)
                }
            }
            let names = Self.ordered(Set(peopleByGroup.keys), by: query.grouping) { name in
                Fraction(peopleByGroup[name]?.count ?? 0)
            }
            peopleByGroup[.total] = people
            return (names + [.total]).flatMap { name in
                let people = peopleByGroup[name] ?? []
                return query.periods.map { number in
                    let retained = people.count { person in
                        facts.contains { fact in
                            fact.person == person && period(of: fact.time, query.period) == cohort + number
                        }
                    }
                    return [
                        label(ofPeriod: cohort, query.period), name.text, String(number), String(people.count),
                        String(retained), Cell.rate(retained, of: people.count),
                    ]
                }
            }
        }
    }

    /// The number of a day, or of a week: the number of its Monday, in weeks since the Monday before 1970-01-01.
    private func period(of time: Timestamp, _ period: Period) -> Int {
        let day = day(of: time)
        return switch period {
        case .day: day
        case .week: (Self.firstDayOfWeek(ofDay: day) + 3) / 7
        }
    }

    /// The date of a period's first day.
    private func label(ofPeriod number: Int, _ period: Period) -> String {
        switch period {
        case .day: Self.date(ofDay: number)
        case .week: Self.date(ofDay: number * 7 - 3)
        }
    }
}
