import Events
import InboundLinks
import Time

extension Oracle {
    struct ActivityQuery {
        var span: Span
        var period: PeriodLength = .day
        var grouping: Grouping = .ungrouped
    }

    /// `period, group, active, new, returning, resurrected, dormant, active_7d, active_30d, stickiness`
    ///
    /// docs/reports.md, *activity*. A touch happens at its t. Chosen: what happens at or after the end of the range is
    /// unknown, also which touch is the first. Groups come as in a funnel, with `direct` and `total` last; a group is
    /// shown if it counts anybody in the period.
    func activity(_ query: ActivityQuery) -> [[String]] {
        let known = facts.filter { $0.time < query.span.to && $0.person != nil }
        let people = Dictionary(grouping: known, by: \.person).compactMap { person, facts in
            person.map { _ in facts }
        }
        .filter { isKept(firstTouch(of: $0), conditions) }
        let spans = periods(of: query.span, query.period)
        return spans.indices.flatMap { index in
            let before = index > 0 ? spans[index - 1].span : period(before: query.span.from, query.period)
            return rows(of: people, spans[index].span, before: before, query).map { [spans[index].name] + $0 }
        }
    }

    private func rows(of people: [[Fact]], _ span: Span, before: Span, _ query: ActivityQuery) -> [[String]] {
        func row(_ name: Name, _ people: [[Fact]]) -> [String] {
            func count(_ isCounted: ([Fact]) -> Bool) -> Int { people.count(where: isCounted) }
            let activeCount = count { isActive($0, in: span) }
            let last = day(of: span.to.advanced(by: .microseconds(-1)))
            func active(inDays days: Int) -> Int {
                count { $0.contains { Self.isActivity($0) && (last - days + 1...last).contains(day(of: $0.time)) } }
            }
            func first(_ facts: [Fact]) -> Timestamp? { facts.filter(Self.isActivity).map(\.time).min() }
            return [
                name.text, String(activeCount), String(count { first($0).map(span.contains) ?? false }),
                String(count { isActive($0, in: span) && isActive($0, in: before) }),
                String(
                    count {
                        isActive($0, in: span) && !isActive($0, in: before) && !(first($0).map(span.contains) ?? false)
                    }
                ),
                String(count { !isActive($0, in: span) && isActive($0, in: before) }),
                String(active(inDays: 7)), String(active(inDays: 30)),
                query.period == .day ? Cell.rate(activeCount, of: active(inDays: 30)) : "",
            ]
        }
        guard query.grouping != .ungrouped else { return [row(.total, people)] }
        var groups: [Name: [[Fact]]] = [:]
        for facts in people {
            let names = firstTouch(of: facts).map { self.groups(of: $0, by: query.grouping) } ?? [.direct]
            for name in names { groups[name, default: []].append(facts) }
        }
        let direct = groups.removeValue(forKey: .direct) ?? []
        let counted = groups.filter { row($0.key, $0.value).dropFirst().contains { !["", "0"].contains($0) } }
        let names = Self.ordered(Set(counted.keys), by: query.grouping) { name in
            Fraction((groups[name] ?? []).count { isActive($0, in: span) })
        }
        return names.map { row($0, groups[$0] ?? []) } + [row(.direct, direct), row(.total, people)]
    }

    private func firstTouch(of facts: [Fact]) -> Fact? {
        facts.filter { $0.touch != nil }.min { ($0.time, $0.eventID) < ($1.time, $1.eventID) }
    }

    private func isKept(_ touch: Fact?, _ conditions: [Condition]) -> Bool {
        conditions.isEmpty || touch.map(isKept) ?? false
    }

    private func isActive(_ facts: [Fact], in span: Span) -> Bool {
        facts.contains { Self.isActivity($0) && span.contains($0.time) }
    }

    private static func isActivity(_ fact: Fact) -> Bool {
        switch fact.kind {
        case .touch, .install, .conversion, .appOpen: true
        case .feedPost(let post): post.outcome == .posted
        case .authentication(let login): login.outcome == .granted
        }
    }
}
