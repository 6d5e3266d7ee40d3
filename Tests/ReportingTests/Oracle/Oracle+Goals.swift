import Events
import InboundLinks
import Time

extension Oracle {
    /// `goal, conversions, people, value, first_at, last_at`
    ///
    /// - Parameter limit: how many goals have rows of their own; nil for all.
    func goals(_ span: Span, limit: Int? = nil) -> [[String]] {
        let conversions = facts.filter { $0.conversion != nil && span.contains($0.time) && isKept($0) }
        func row(_ name: Name, _ conversions: [Fact]) -> [String] {
            let times = conversions.map(\.time).sorted()
            return [
                name.text, String(conversions.count), String(Set(conversions.compactMap(\.person)).count),
                Cell.amount(.sum(conversions.map(value))), times.first?.rfc3339 ?? "", times.last?.rfc3339 ?? "",
            ]
        }
        func named(_ name: Name) -> [Fact] { conversions.filter { $0.conversion.map { Name($0.name) } == name } }
        let names = Set(conversions.compactMap { $0.conversion.map { Name($0.name) } }).sorted { first, second in
            let (one, other) = (named(first).count, named(second).count)
            return one == other ? first < second : one > other
        }
        let shown = names.prefix(limit ?? names.count)
        let others = names.dropFirst(shown.count).flatMap(named)
        return shown.map { row($0, named($0)) } + (others.isEmpty ? [] : [row(.others, others)])
            + [row(.total, conversions)]
    }

    /// `[group, ]outcome, error_code, attempts, people, share`
    ///
    /// A login that was granted has no error, whatever its event says. An authenticated inbound link is no attempt.
    /// With groups, the rows of each group, by its attempts, then those of `(others)`, `(none)` and `total`.
    ///
    /// - Parameter limit: how many groups but `(none)` have rows of their own; nil for all.
    func logins(_ span: Span, by grouping: Grouping, limit: Int? = nil) -> [[String]] {
        let attempts = facts.filter { $0.login != nil && span.contains($0.time) && isKept($0) }
        guard grouping != .ungrouped else { return logins(attempts) }
        let byGroup = Dictionary(grouping: attempts) { groups(of: $0, by: grouping)[0] }
        let names = Self.ordered(Set(byGroup.keys), by: grouping) { Fraction(byGroup[$0]?.count ?? 0) }
        func rows(_ name: Name, _ attempts: [Fact]) -> [[String]] {
            attempts.isEmpty ? [] : logins(attempts).map { [name.text] + $0 }
        }
        let named = names.filter { $0 != .none }
        let shown = named.prefix(limit ?? named.count)
        return shown.flatMap { rows($0, byGroup[$0] ?? []) }
            + rows(.others, named.dropFirst(shown.count).flatMap { byGroup[$0] ?? [] })
            + rows(.none, byGroup[.none] ?? []) + logins(attempts).map { ["total"] + $0 }
    }

    private func logins(_ attempts: [Fact]) -> [[String]] {
        struct Kind: Hashable {
            var outcome: LoginOutcome
            var errorCode: Int64?
        }
        let byKind = Dictionary(grouping: attempts) { fact in
            let outcome = fact.login?.outcome ?? .granted
            return Kind(outcome: outcome, errorCode: outcome == .granted ? nil : fact.login?.errorCode)
        }
        func row(_ name: String, _ code: Int64?, _ own: [Fact]) -> [String] {
            [
                name, code.map { String($0) } ?? "", String(own.count), String(Set(own.compactMap(\.person)).count),
                Cell.rate(own.count, of: attempts.count),
            ]
        }
        let kinds = byKind.sorted { first, second in
            if first.value.count != second.value.count { return first.value.count > second.value.count }
            if first.key.outcome != second.key.outcome {
                return Name(first.key.outcome.rawValue) < Name(second.key.outcome.rawValue)
            }
            // No error comes first.
            guard let one = first.key.errorCode else { return second.key.errorCode != nil }
            return second.key.errorCode.map { one < $0 } ?? false
        }
        return kinds.map { row($0.key.outcome.rawValue, $0.key.errorCode, $0.value) } + [row("total", nil, attempts)]
    }
}
