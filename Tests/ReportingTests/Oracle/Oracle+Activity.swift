import Events
import InboundLinks
import Time

extension Oracle {
    struct ActivityQuery {
        var span: Span
        var period: PeriodLength = .day
        var grouping: Grouping = .ungrouped
        var limit = 50
        /// `--first`
        var takesFirst = false
    }

    /// A row's group: the people of it in a time, who are those with a touch of it in that time.
    private struct ActivityGroup {
        var name: Name
        /// Whether a person counts in the group at all, and for what was done in a span or in some days.
        var has: ([Fact], Span) -> Bool
        var hasInDays: ([Fact], _ days: Int, _ until: Timestamp) -> Bool
    }

    /// `period, group, active, new, returning, resurrected, dormant, active_7d, active_30d, stickiness`
    ///
    /// docs/reports.md, *activity*. "The groups with the most people who were active in the range, of equal ones those
    /// whose names come first", and all channels; the rest is `(others)`. A touch happens at its t. "Who counts for a
    /// time counts in the groups of the touches of that time, in `(none)` without one." Chosen: what happens at or
    /// after the end of the range is unknown, also which touch is the first. Groups come as in a funnel, with
    /// `(others)`, `direct` and `total` last; a group is shown if it counts anybody in the period.
    func activity(_ query: ActivityQuery) -> [[String]] {
        let known = facts.filter { $0.time < query.span.to && $0.person != nil }
        let all = Dictionary(grouping: known, by: \.person).compactMap { person, facts in person.map { _ in facts } }
        let people = all.filter { isKept($0) }
        let spans = periods(of: query.span, query.period)
        /// "As if the range had begun earlier": the whole period of the calendar.
        func whole(_ index: Int) -> Span {
            index > 0
                ? spans[index].span
                : Span(from: period(before: query.span.from, query.period).to, to: spans[index].span.to)
        }
        func before(_ index: Int) -> Span {
            index > 0 ? whole(index - 1) : period(before: query.span.from, query.period)
        }
        /// "Empty until the app has so many days."
        let firstDay = firstEvent.map { day(of: $0) }
        func counts(_ group: ActivityGroup, _ index: Int) -> [Int] {
            func count(_ isCounted: ([Fact]) -> Bool) -> Int { people.count(where: isCounted) }
            let (span, whole, before) = (spans[index].span, whole(index), before(index))
            func isCounted(_ facts: [Fact]) -> Bool { isActive(facts, in: span) && group.has(facts, span) }
            func isNew(_ facts: [Fact]) -> Bool {
                facts.filter(Self.isActivity).map(\.time).min().map(whole.contains) ?? false
            }
            return [
                count(isCounted), count { isCounted($0) && isNew($0) },
                count { isCounted($0) && isActive($0, in: before) },
                count { isCounted($0) && !isActive($0, in: before) && !isNew($0) },
                count { !isActive($0, in: whole) && isActive($0, in: before) && group.has($0, before) },
            ]
                + [7, 30].map { days in
                    count { isActive($0, inDays: days, until: span.to) && group.hasInDays($0, days, span.to) }
                }
        }
        func row(_ name: Name, _ counts: [Int], _ index: Int) -> [String] {
            func hasDays(_ days: Int) -> Bool {
                let last = day(of: spans[index].span.to.advanced(by: .microseconds(-1)))
                return firstDay.map { $0 <= last - days + 1 } ?? false
            }
            return [spans[index].name, name.text] + counts.prefix(5).map(String.init) + [
                hasDays(7) ? String(counts[5]) : "", hasDays(30) ? String(counts[6]) : "",
                query.period == .day && hasDays(30) ? Cell.rate(counts[0], of: counts[6]) : "",
            ]
        }
        let total = group(.total, query) { _ in true }
        guard query.grouping != .ungrouped else { return spans.indices.map { row(.total, counts(total, $0), $0) } }

        let names = Set(people.flatMap { facts in facts.flatMap { groups(of: $0, by: query.grouping) } } + [.none])
        // Who counts in no row is in no group.
        let found = names.map { name in group(name, query) { $0 == name } }
            .filter { group in spans.indices.contains { counts(group, $0).contains { $0 > 0 } } }
        func active(_ group: ActivityGroup) -> Int {
            people.count { facts in
                spans.contains { isActive(facts, in: $0.span) && group.has(facts, $0.span) }
            }
        }
        // The values of a property that have no row of their own are in `(others)`, too.
        let ranked = found.filter { $0.name != Name("(others)") }.map { (group: $0, active: active($0)) }
            .sorted { one, other in
                if one.active != other.active { return one.active > other.active }
                let names = (one.group.name, other.group.name)
                return names.0 == .none || names.1 == .none
                    ? names.1 == .none && names.0 != .none : names.0 < names.1
            }
            .map(\.group)
        let shown = query.grouping == .channel ? ranked : Array(ranked.prefix(query.limit))
        let shownNames = Set(shown.map(\.name))
        let others = group(Name("(others)"), query) { !shownNames.contains($0) }
        let direct = group(.direct, query) { _ in false }
        return spans.indices.flatMap { index in
            var figures: [Name: [Int]] = [:]
            for group in shown { figures[group.name] = counts(group, index) }
            let present = Set(figures.filter { $0.value.contains { $0 > 0 } }.keys)
            let named = Self.ordered(present, by: query.grouping) { Fraction(figures[$0]?[0] ?? 0) }
                .map { row($0, figures[$0] ?? Array(repeating: 0, count: 7), index) }
            let rest = counts(others, index)
            let hasDirect = query.takesFirst && query.grouping != .plan
            return named + (rest.contains { $0 > 0 } ? [row(others.name, rest, index)] : [])
                + (hasDirect ? [row(.direct, counts(direct, index), index)] : [])
                + [row(.total, counts(total, index), index)]
        }
    }

    /// - Parameter isNamed: whether the row is of a group; of `direct`, none is.
    private func group(_ name: Name, _ query: ActivityQuery, _ isNamed: @escaping (Name) -> Bool) -> ActivityGroup {
        let conditions = conditions.filter { $0.key != .plan }
        /// - Parameter touches: those of the time.
        func has(_ facts: [Fact], _ touches: [Fact]) -> Bool {
            let deciding = query.takesFirst ? [firstTouch(of: facts)].compactMap(\.self) : touches
            let kept = deciding.filter { filtered(by: conditions).isKept($0) }
            let keepsNothing =
                deciding.isEmpty
                && (query.takesFirst
                    ? conditions.isEmpty
                    : conditions.allSatisfy {
                        $0.keeps(.none)
                    })
            guard !kept.isEmpty || keepsNothing else { return false }
            if name == .total { return true }
            if query.grouping == .plan {
                return facts.first.map { groups(of: $0, by: .plan).contains(where: isNamed) } ?? false
            }
            if name == .direct { return query.takesFirst && deciding.isEmpty }
            return kept.contains { groups(of: $0, by: query.grouping).contains(where: isNamed) }
                || !query.takesFirst && keepsNothing && isNamed(.none)
        }
        return ActivityGroup(name: name) { facts, span in
            has(facts, facts.filter { $0.touch != nil && span.contains($0.time) })
        } hasInDays: { facts, days, end in
            let recent = facts.filter { isIn($0, days, until: end) }
            return Set(recent.filter(Self.isActivity).map { day(of: $0.time) }).contains { day in
                has(facts, recent.filter { $0.touch != nil && self.day(of: $0.time) == day })
            }
        }
    }

    private func firstTouch(of facts: [Fact]) -> Fact? {
        facts.filter { $0.touch != nil }.min { ($0.time, $0.eventID) < ($1.time, $1.eventID) }
    }

    /// By what the person has.
    private func isKept(_ facts: [Fact]) -> Bool {
        facts.first.map(filtered(by: conditions.filter { $0.key == .plan }).isKept) ?? false
    }

    private func isActive(_ facts: [Fact], in span: Span) -> Bool {
        facts.contains { Self.isActivity($0) && span.contains($0.time) }
    }

    private func isActive(_ facts: [Fact], inDays days: Int, until end: Timestamp) -> Bool {
        facts.contains { Self.isActivity($0) && isIn($0, days, until: end) }
    }

    private func isIn(_ fact: Fact, _ days: Int, until end: Timestamp) -> Bool {
        let last = day(of: end.advanced(by: .microseconds(-1)))
        return (last - days + 1...last).contains(day(of: fact.time))
    }

    static func isActivity(_ fact: Fact) -> Bool {
        switch fact.kind {
        case .touch, .install, .conversion, .appOpen: true
        case .feedPost(let post): post.outcome == .posted
        case .authentication(let login): login.outcome == .granted
        }
    }
}
