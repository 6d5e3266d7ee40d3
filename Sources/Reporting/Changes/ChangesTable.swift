import Timelines

/// The rows of `changes`.
struct ChangesTable {
    private typealias Group = ChangesFold.Group
    private typealias Amount = ChangesFold.Amount

    /// Figures as they are shown, in millionths, and so added up.
    private struct Figures {
        var before: Int128?
        var after: Int128?
        var effects: (rate: Int128, mix: Int128)?

        var change: Int128? {
            guard let before, let after else { return nil }
            return after - before
        }
    }

    private let report: ChangesReport
    private let groups: GroupTable<Group>
    private let total: Group
    private let values: [BreakdownValues]
    private let lengths: [Double]
    /// The positions of the groups with rows of their own, in order.
    private let shown: [Int]

    init(_ fold: ChangesFold) {
        report = fold.report
        groups = fold.groups
        total = fold.total
        values = fold.values
        lengths = fold.lengths
        let (groups, values, total, isRate) = (fold.groups, fold.values, fold.total, fold.report.metric.isRate)
        let isCompared = fold.lengths.count > 1
        let ranks = groups.rows.map { Self.rank(of: $0, in: total, isRate: isRate, isCompared: isCompared) }
        // The values of a declared property that have no row of their own are in `(others)`.
        let named = groups.rows.indices.filter { position in
            groups.keys[position] == .direct || values.count > 1 || !values[0].isOthers(groups.keys[position].number)
        }
        shown = smallest(fold.report.limit, of: named) { one, other in
            ranks[one] == ranks[other]
                ? Self.precedes(groups.keys[one], groups.keys[other], values) : ranks[one] > ranks[other]
        }
    }

    /// How much a group contributes to the change; without one, how much of it there is. Contributions to a rate are
    /// compared to nine decimals, so that equal ones are equal.
    private static func rank(of group: Group, in total: Group, isRate: Bool, isCompared: Bool) -> Int128 {
        guard isRate else { return abs(group.now.sum - group.before.sum) }
        guard isCompared, let effects = RateEffects(of: group, in: total) else {
            return group.now.base + group.before.base
        }
        return RateEffects.rounded(abs(effects.contribution), parts: 1e9)
    }

    private static func precedes(_ one: GroupKey, _ other: GroupKey, _ values: [BreakdownValues]) -> Bool {
        if (one == .direct) != (other == .direct) { return other == .direct }
        if one.number != other.number { return values[0].precedes(one.number, other.number) }
        return values.count > 1 && values[1].precedes(one.second, other.second)
    }

    var rows: [[ReportCell]] {
        var others = Group()
        let areOthers = groups.areOthers(than: shown)
        for position in groups.rows.indices where areOthers[position] { others += groups[position] }
        let hidden = groups.rows.count - shown.count
        var lines = shown.map { (names: names(of: groups.keys[$0]), group: groups[$0]) }
        if hidden > 0 { lines.append((names(ReportNames.others), others)) }
        let figures = report.metric.isRate ? rates(of: lines.map(\.group)) : sums(of: lines.map(\.group))
        // Which groups have rows, the changes have decided. So all groups are tested.
        let unseen = groups.rows.indices.lazy.filter { areOthers[$0] }
        let pValues = holmAdjusted((shown + unseen).map { pValue(of: groups[$0]) })
        var all = Figures(before: figure(total.before, isKnown: isCompared), after: figure(total.now))
        if let change = all.change, report.metric.isRate {
            let effects = figures.compactMap(\.effects)
            let rate = effects.reduce(0) { $0 + $1.rate }
            if !effects.isEmpty { all.effects = (rate, change - rate) }
        }
        let rows = zip(lines, figures).enumerated().map { index, row in
            let (line, figures) = row
            let pValue = index < shown.count ? pValues[index] : nil
            return line.names + cells(of: figures, contribution(of: line.group, figures), pValue)
        }
        let own = contribution(of: total, all)
        return rows + [names(ReportNames.total) + cells(of: all, own, pValue(of: total))]
    }

    private var isCompared: Bool { lengths.count > 1 }

    private func names(of key: GroupKey) -> [ReportCell] {
        if key == .direct { return names(ReportNames.direct) }
        return zip(values, [key.number, key.second]).map { .text($0.name(of: $1)) }
    }

    /// Of a row that stands for no single group.
    private func names(_ name: String) -> [ReportCell] {
        [.text(name)] + Array(repeating: .empty, count: values.count - 1)
    }

    /// A figure as it is shown; nil for a rate of nobody.
    private func figure(_ amount: Amount, isKnown: Bool = true) -> Int128? {
        guard isKnown else { return nil }
        guard report.metric.isRate else { return report.metric.millionths(amount.sum) }
        return amount.base > 0 ? roundedQuotient(amount.sum * 1_000_000, by: amount.base) : nil
    }

    /// Parts of a touch may have more decimals than are shown. Figures are differences of rounded running sums, so they
    /// add up to those of `total`.
    private func sums(of groups: [Group]) -> [Figures] {
        var (before, after) = (Int128(0), Int128(0))
        func part(_ sum: Int128, after running: inout Int128) -> Int128 {
            defer { running += sum }
            return report.metric.millionths(running + sum) - report.metric.millionths(running)
        }
        return groups.map { group in
            let earlier = part(group.before.sum, after: &before)
            return Figures(before: isCompared ? earlier : nil, after: part(group.now.sum, after: &after))
        }
    }

    /// The same for the effects on a rate: all of them together add up to the change of `total` as it is shown.
    private func rates(of groups: [Group]) -> [Figures] {
        let change = Figures(before: figure(total.before, isKnown: isCompared), after: figure(total.now)).change
        var (exact, told) = (0.0, Int128(0))
        func part(_ effect: Double, until end: Int128?) -> Int128 {
            exact += effect
            let next = end ?? RateEffects.rounded(exact, parts: 1e6)
            defer { told = next }
            return next - told
        }
        return groups.enumerated().map { index, group in
            var figures = Figures(before: figure(group.before, isKnown: isCompared), after: figure(group.now))
            if let effects = RateEffects(of: group, in: total), let change {
                let rate = part(effects.rate, until: nil)
                figures.effects = (rate, part(effects.mix, until: index == groups.count - 1 ? change : nil))
            }
            return figures
        }
    }

    /// The row's part of the change of `total`, in millionths; nil if that has not changed.
    private func contribution(of group: Group, _ figures: Figures) -> Int128? {
        guard report.metric.isRate else {
            let all = report.metric.millionths(total.now.sum) - report.metric.millionths(total.before.sum)
            return all == 0 ? nil : figures.change.map { roundedQuotient($0 * 1_000_000, by: all) }
        }
        guard isCompared, let before = total.before.rate, let now = total.now.rate, abs(now - before) > 1e-12,
            let effects = RateEffects(of: group, in: total)
        else { return nil }
        return RateEffects.rounded(effects.contribution / (now - before), parts: 1e6)
    }

    private func cells(of figures: Figures, _ share: Int128?, _ pValue: Double?) -> [ReportCell] {
        func cell(_ millionths: Int128?, isRate: Bool) -> ReportCell {
            guard let millionths else { return .empty }
            return isRate ? .fraction(millionths: Int64(clamping: millionths)) : .decimal(millionths: millionths)
        }
        return [figures.before, figures.after, figures.change].map { cell($0, isRate: report.metric.isRate) }
            + [share, figures.effects?.rate, figures.effects?.mix].map { cell($0, isRate: true) }
            + [pValue.map { .probability($0) } ?? .empty]
    }

    /// Nil if nothing can be tested.
    private func pValue(of group: Group) -> Double? {
        guard isCompared else { return nil }
        if report.metric.isRate {
            // Parts of people are rounded to whole ones.
            func people(_ units: Int128) -> Int64 {
                Int64(clamping: roundedQuotient(units, by: Int128(CreditUnits.one)))
            }
            return TwoProportionTest(
                successes: (people(group.now.sum), people(group.before.sum)),
                trials: (people(group.now.base), people(group.before.base))
            )?.pValue
        }
        func sum(_ amount: Amount, _ length: Double) -> PeopleSum {
            PeopleSum(
                sum: Double(report.metric.millionths(amount.sum)),
                squares: Double(amount.base),
                length: length
            )
        }
        let (now, before) = (sum(group.now, lengths[0]), sum(group.before, lengths[1]))
        return report.metric == .value
            ? SumTest.pValue(ofAmounts: now, before) : SumTest.pValue(ofCounts: now, before)
    }
}
