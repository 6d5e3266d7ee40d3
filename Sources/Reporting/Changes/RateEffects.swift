/// What a group contributes to the change of a rate: by the change of its own rate, and by that of its share of the
/// people (E. M. Kitagawa, "Components of a difference between two rates", Journal of the American Statistical
/// Association 50, 1955). The contributions of all groups add up to the change.
struct RateEffects {
    /// The change of the group's own rate.
    var rate: Double
    /// The change of its share of the people.
    var mix: Double

    var contribution: Double { rate + mix }

    /// Nil if all groups together have nobody in one of the ranges.
    init?(of group: ChangesFold.Group, in total: ChangesFold.Group) {
        guard total.before.base > 0, total.now.base > 0 else { return nil }
        func share(_ side: KeyPath<ChangesFold.Group, ChangesFold.Amount>) -> Double {
            Double(group[keyPath: side].base) / Double(total[keyPath: side].base)
        }
        // A group without people in one range has the rate of the other there.
        let before = group.before.rate ?? group.now.rate ?? 0
        let now = group.now.rate ?? before
        let totals = (before: total.before.rate ?? 0, now: total.now.rate ?? 0)
        let shares = (before: share(\.before), now: share(\.now))
        rate = (shares.before + shares.now) / 2 * (now - before)
        mix = (shares.now - shares.before) * ((before + now) / 2 - (totals.before + totals.now) / 2)
    }

    /// Rounded to a number of parts of one. A half that a double misses by its last digits is still a half.
    static func rounded(_ value: Double, parts: Double) -> Int128 {
        Int128((value * parts + 0.500_001).rounded(.down))
    }
}
