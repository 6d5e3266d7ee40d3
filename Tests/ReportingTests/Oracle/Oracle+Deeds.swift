import Time

/// `--with` and `--without`. "The figures are those of the same report over the events of these people alone."
extension Oracle {
    struct Deed {
        var step: String
        var count = 1
        var days: Int?
        var isExclusion: Bool

        var parameter: (name: String, value: String) {
            let text = step + (count > 1 ? ">=\(count)" : "") + (days.map { "@\($0)d" } ?? "")
            return (isExclusion ? "without" : "with", text)
        }
    }

    /// The oracle that counts only people of whom all deeds hold before an instant. What others did is in no figure.
    func alone(_ deeds: [Deed], until end: Timestamp) -> Oracle {
        guard !deeds.isEmpty else { return self }
        let kept = Set(facts.compactMap(\.person)).filter { person in
            deeds.allSatisfy { deed in
                let count = facts.count { fact in
                    let isLate = deed.days.map { fact.time >= end.advanced(by: .days(-$0)) } ?? true
                    return fact.person == person && fact.time < end && isLate && Self.serves(fact, step: deed.step)
                }
                return (count >= deed.count) != deed.isExclusion
            }
        }
        var oracle = self
        oracle.facts = facts.filter { $0.person.map(kept.contains) ?? false }
        oracle.whole = [self]
        return oracle
    }

    /// The oracle of all people: who invited whom does not depend on who counts.
    var ofAll: Oracle { whole.first ?? self }
}
