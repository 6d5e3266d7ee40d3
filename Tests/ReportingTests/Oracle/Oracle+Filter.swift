import Events

/// `--where`. "The figures of `--where k=v` are those of the row v of the same report `--by k`."
extension Oracle {
    struct Condition {
        var key: Grouping
        var values: [String]
        var isExclusion: Bool

        var text: String { "\(key.rawValue)\(isExclusion ? "!=" : "=")\(values.joined(separator: ","))" }

        /// Whether a row of `--by` is kept.
        func keeps(_ row: Name) -> Bool {
            let isNamed = values.contains { value in
                (key == .targetURL || key == .page) && value.hasSuffix("*")
                    ? row != .none && row.text.utf8.starts(with: value.dropLast().utf8) : Name(value) == row
            }
            return isNamed != isExclusion
        }
    }

    /// The oracle of the same events that keeps only what meets the conditions.
    func filtered(by conditions: [Condition]) -> Oracle {
        var oracle = self
        oracle.conditions = conditions
        return oracle
    }

    /// Whether the part of a fact for one of its refs is kept, as far as refs decide.
    func keeps(ref: Name) -> Bool {
        conditions.filter { $0.key == .ref }.allSatisfy { $0.keeps(ref) }
    }

    /// "A touch with several refs is one part for each": how much of a fact is kept.
    func keptPart(of fact: Fact) -> Fraction {
        let others = conditions.filter { $0.key != .ref }
        let isKept = others.allSatisfy { condition in
            groups(of: fact, by: condition.key).allSatisfy(condition.keeps)
        }
        let rows = Self.refRows(of: fact)
        return isKept ? Fraction(Int128(rows.filter(keeps).count), Int128(rows.count)) : .zero
    }

    func isKept(_ fact: Fact) -> Bool { keptPart(of: fact) > .zero }

    /// "Posts have a ref, and what every event has. Other conditions do not concern them."
    var ofPosts: Oracle {
        filtered(by: conditions.filter { $0.key == .ref || $0.key == .plan || Grouping.ofEveryEvent.contains($0.key) })
    }
}
