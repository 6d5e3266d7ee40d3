import Events
import InboundLinks
import Time

extension Oracle {
    struct OverlapQuery {
        var span: Span
        var grouping: Grouping = .ref
        /// Nil: all pairs of the values with the most people.
        var pair: (a: String, b: String)?
        var limit = 10
        var goal: String?
    }

    /// `a, b, people_a, people_b, both, only_a, only_b, jaccard, conversions_both`
    ///
    /// Chosen: values with equally many people are ordered by name. The first of a pair is the one with more people.
    func overlap(_ query: OverlapQuery) -> [[String]] {
        var people: [Name: Set<Person>] = [:]
        if query.grouping == .channel { for channel in Channel.allCases { people[Name(channel.rawValue)] = [] } }
        for touch in touches where query.span.contains(touch.time) && isKept(touch) {
            guard let person = touch.person else { continue }
            for name in groups(of: touch, by: query.grouping) { people[name, default: []].insert(person) }
        }
        func row(_ a: Name, _ b: Name) -> [String] {
            let (first, second) = (people[a] ?? [], people[b] ?? [])
            let both = first.intersection(second)
            let conversions = facts.count { fact in
                guard let conversion = fact.conversion, let person = fact.person else { return false }
                return query.span.contains(fact.time) && both.contains(person)
                    && query.goal.map { Name($0) == Name(conversion.name) } ?? true
            }
            return [
                a.text, b.text, String(first.count), String(second.count), String(both.count),
                String(first.subtracting(second).count), String(second.subtracting(first).count),
                Cell.rate(both.count, of: first.union(second).count), String(conversions),
            ]
        }
        if let pair = query.pair { return [row(Name(pair.a), Name(pair.b))] }
        let largest = people.keys.sorted { first, second in
            let (one, other) = (people[first]?.count ?? 0, people[second]?.count ?? 0)
            return one == other ? first < second : one > other
        }
        .prefix(query.limit)
        return largest.enumerated().flatMap { index, a in largest.dropFirst(index + 1).map { row(a, $0) } }
    }
}
