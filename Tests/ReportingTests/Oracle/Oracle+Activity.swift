import Events
import InboundLinks
import Time

extension Oracle {
    struct ActivityQuery {
        var span: Span
        var period: PeriodLength = .day
        var grouping: Grouping = .ungrouped
        var limit = 50
    }

    /// `period, group, active, new, returning, resurrected, dormant, active_7d, active_30d, stickiness`
    ///
    /// docs/reports.md, *activity*. "The groups with the most people who were active in the range, of equal ones those
    /// whose names come first", and all channels; the rest is `(others)`. A touch happens at its t. Chosen: what
    /// happens at or after the end of the range is unknown, also which touch is the first. Groups come as in a funnel,
    /// with `(others)`, `direct` and `total` last; a group is shown if it counts anybody in the period.
    func activity(_ query: ActivityQuery) -> [[String]] {
        let known = facts.filter { $0.time < query.span.to && $0.person != nil }
        let people = Dictionary(grouping: known, by: \.person).compactMap { person, facts in
            person.map { _ in facts }
        }
        .filter { isKept(firstTouch(of: $0), conditions.filter { $0.key != .plan }) && isKept($0) }
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
        // Who counts in no row is in no group.
        let counted = people.filter { facts in
            spans.indices.contains { index in
                isActive(facts, in: spans[index].span) || isActive(facts, in: before(index))
                    || isActive(facts, inDays: 30, until: spans[index].span.to)
            }
        }
        let groups = groups(of: counted, query)
        func active(_ name: Name) -> Int { (groups[name] ?? []).count { isActive($0, in: query.span) } }
        // The values of a property that have no row of their own are in `(others)`, too.
        let ranked = groups.keys.filter { $0 != .direct && $0 != Name("(others)") }.sorted { one, other in
            if active(one) != active(other) { return active(one) > active(other) }
            return one == .none || other == .none ? other == .none && one != .none : one < other
        }
        let shown = Set(query.grouping == .channel ? ranked : Array(ranked.prefix(query.limit)))
        return spans.indices.flatMap { index in
            rows(of: people, groups, shown: shown, spans[index].span, whole: whole(index), before: before(index), query)
                .map { [spans[index].name] + $0 }
        }
    }

    /// The event whose property groups a person: any for a property of people, else the first touch.
    private func deciding(_ facts: [Fact], _ query: ActivityQuery) -> Fact? {
        query.grouping == .plan ? facts.first : firstTouch(of: facts)
    }

    /// People by their groups, or `direct`.
    private func groups(of people: [[Fact]], _ query: ActivityQuery) -> [Name: [[Fact]]] {
        var groups: [Name: [[Fact]]] = [:]
        for facts in people {
            let names = deciding(facts, query).map { self.groups(of: $0, by: query.grouping) } ?? [.direct]
            for name in names { groups[name, default: []].append(facts) }
        }
        return groups
    }

    private func rows(
        of people: [[Fact]],
        _ groups: [Name: [[Fact]]],
        shown: Set<Name>,
        _ span: Span,
        whole: Span,
        before: Span,
        _ query: ActivityQuery
    ) -> [[String]] {
        func row(_ name: Name, _ people: [[Fact]]) -> [String] {
            func count(_ isCounted: ([Fact]) -> Bool) -> Int { people.count(where: isCounted) }
            let activeCount = count { isActive($0, in: span) }
            func active(inDays days: Int) -> Int { count { isActive($0, inDays: days, until: span.to) } }
            func isNew(_ facts: [Fact]) -> Bool {
                facts.filter(Self.isActivity).map(\.time).min().map(whole.contains) ?? false
            }
            return [
                name.text, String(activeCount), String(count { isActive($0, in: span) && isNew($0) }),
                String(count { isActive($0, in: span) && isActive($0, in: before) }),
                String(count { isActive($0, in: span) && !isActive($0, in: before) && !isNew($0) }),
                String(count { !isActive($0, in: whole) && isActive($0, in: before) }),
                String(active(inDays: 7)), String(active(inDays: 30)),
                query.period == .day ? Cell.rate(activeCount, of: active(inDays: 30)) : "",
            ]
        }
        guard query.grouping != .ungrouped else { return [row(.total, people)] }
        func isEmpty(_ row: [String]) -> Bool { !row.dropFirst().contains { !["", "0", "0.000000"].contains($0) } }
        let counted = groups.filter { shown.contains($0.key) && !isEmpty(row($0.key, $0.value)) }
        let others = row(
            Name("(others)"),
            people.filter { facts in
                deciding(facts, query).map { self.groups(of: $0, by: query.grouping).contains { !shown.contains($0) } }
                    ?? false
            }
        )
        let names = Self.ordered(Set(counted.keys), by: query.grouping) { name in
            Fraction((groups[name] ?? []).count { isActive($0, in: span) })
        }
        let last = query.grouping == .plan ? [] : [row(.direct, groups[.direct] ?? [])]
        return names.map { row($0, groups[$0] ?? []) } + (isEmpty(others) ? [] : [others]) + last
            + [row(.total, people)]
    }

    private func firstTouch(of facts: [Fact]) -> Fact? {
        facts.filter { $0.touch != nil }.min { ($0.time, $0.eventID) < ($1.time, $1.eventID) }
    }

    private func isKept(_ touch: Fact?, _ conditions: [Condition]) -> Bool {
        conditions.isEmpty || touch.map(filtered(by: conditions).isKept) ?? false
    }

    /// By what the person has.
    private func isKept(_ facts: [Fact]) -> Bool {
        facts.first.map(filtered(by: conditions.filter { $0.key == .plan }).isKept) ?? false
    }

    private func isActive(_ facts: [Fact], in span: Span) -> Bool {
        facts.contains { Self.isActivity($0) && span.contains($0.time) }
    }

    private func isActive(_ facts: [Fact], inDays days: Int, until end: Timestamp) -> Bool {
        let last = day(of: end.advanced(by: .microseconds(-1)))
        return facts.contains { Self.isActivity($0) && (last - days + 1...last).contains(day(of: $0.time)) }
    }

    private static func isActivity(_ fact: Fact) -> Bool {
        switch fact.kind {
        case .touch, .install, .conversion, .appOpen: true
        case .feedPost(let post): post.outcome == .posted
        case .authentication(let login): login.outcome == .granted
        }
    }
}
