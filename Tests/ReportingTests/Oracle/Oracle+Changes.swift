import Events
import Foundation
import InboundLinks
@testable import Reporting
import Time

/// docs/reports.md, *changes*.
extension Oracle {
    struct ChangesQuery {
        static let metrics = [
            "touches", "people", "installs", "conversions", "value", "install_rate", "conversion_rate", "active",
        ]

        var span: Span
        var metric = "installs"
        var keys: [Grouping] = [.channel]
        var limit = 50
        var goal: String?
        var lookback: Duration = .days(7)

        var isRate: Bool { metric.hasSuffix("_rate") }
        var isCredited: Bool { ["installs", "conversions", "value"].contains(metric) }
        var isOfConversions: Bool { ["conversions", "value", "conversion_rate"].contains(metric) }
    }

    /// What a row is about.
    private enum ChangedGroup: Hashable {
        case named([Name])
        case direct
        case total
    }

    /// What is counted of a group in one range: what each person, or each event of nobody, adds.
    private struct Changed {
        /// The metric; of a rate, those who succeeded.
        var parts: [Name: Fraction] = [:]
        /// Of a rate, all people.
        var people: [Name: Fraction] = [:]

        var sum: Fraction { .sum(parts.values) }
        var base: Fraction { .sum(people.values) }
        var rate: Fraction? { base > .zero ? sum / base : nil }

        static func + (one: Changed, other: Changed) -> Changed {
            // A person in several groups counts in each.
            var all = one
            for (key, part) in other.parts { all.parts[Name("\(all.parts.count) \(key.text)")] = part }
            for (key, part) in other.people { all.people[Name("\(all.people.count) \(key.text)")] = part }
            return all
        }
    }

    private func changed(_ query: ChangesQuery, in span: Span) -> [ChangedGroup: Changed] {
        var counted: [ChangedGroup: Changed] = [.total: Changed()]
        func add(_ amount: Fraction, of fact: Fact, whole: Fraction, in group: ChangedGroup) {
            let person = Name(fact.person.map { "\($0)" } ?? "nobody \(fact.number)")
            counted[group, default: Changed()].parts[person, default: .zero] =
                (counted[group]?.parts[person] ?? .zero) + amount
            counted[group, default: Changed()].people[person, default: .zero] =
                (counted[group]?.people[person] ?? .zero) + whole
        }
        /// "A touch of several refs is divided equally among them", and each part is kept or not.
        func divide(_ touch: Fact, worth: Fraction, of fact: Fact) {
            let kept = keptPart(of: touch)
            guard kept > .zero else { return }
            let part = query.keys.contains(.ref) ? Fraction(1, Int128(Self.refRows(of: touch).count)) : kept
            for names in groups(of: touch, by: query.keys) {
                add(part * worth, of: fact, whole: part, in: .named(names))
            }
            add(kept * worth, of: fact, whole: kept, in: .total)
        }
        switch query.metric {
        case "touches":
            for touch in touches where span.contains(touch.time) { divide(touch, worth: .one, of: touch) }
        case "installs", "conversions", "value":
            let credited = query.metric == "installs" ? Credited.install : .conversion
            let goal = query.isOfConversions ? query.goal : nil
            for credit in credits(of: credited, goal: goal, in: span, lookback: query.lookback, model: .last) {
                let worth = query.metric == "value" ? credit.worth : .one
                guard worth != .zero, credit.share > .zero else { continue }
                if let touch = credit.from {
                    divide(touch, worth: worth, of: credit.event)
                } else {
                    let isOfPeople = query.keys.allSatisfy { $0 == .plan }
                    let names = groups(of: credit.event, by: query.keys)
                    add(worth, of: credit.event, whole: .one, in: isOfPeople ? .named(names[0]) : .direct)
                    add(worth, of: credit.event, whole: .one, in: .total)
                }
            }
        default:
            for (_, own) in Dictionary(grouping: facts.filter { $0.person != nil }, by: \.person) {
                addPerson(own.filter { span.contains($0.time) }, query, divide) { fact, names in
                    add(.one, of: fact, whole: .one, in: .named(names))
                    add(.one, of: fact, whole: .one, in: .total)
                }
            }
        }
        return counted
    }

    /// "A person counts in the group of the first touch of the range."
    ///
    /// - Parameter own: what the person did in the range.
    private func addPerson(
        _ own: [Fact],
        _ query: ChangesQuery,
        _ divide: (Fact, Fraction, Fact) -> Void,
        withoutTouch add: (Fact, [Name]) -> Void
    ) {
        let first = own.filter { $0.touch != nil }.min { ($0.time, $0.eventID) < ($1.time, $1.eventID) }
        let hasSucceeded = own.contains { fact in
            switch query.metric {
            case "install_rate": fact.isCountedInstall
            case "conversion_rate":
                fact.conversion.map { conversion in query.goal.map { Name($0) == Name(conversion.name) } ?? true }
                    ?? false
            default: true
            }
        }
        if let first { return divide(first, hasSucceeded ? .one : .zero, first) }
        guard query.metric == "active", let fact = own.first(where: Self.isActivity),
            filtered(by: conditions.filter { $0.key == .plan }).isKept(fact),
            conditions.filter({ $0.key != .plan }).allSatisfy({ $0.keeps(.none) })
        else { return }
        add(fact, query.keys.map { $0 == .plan ? groups(of: fact, by: .plan)[0] : .none })
    }

    /// `K1[, K2], before, after, change, share_of_change, rate_effect, mix_effect, p_value`
    func changes(_ query: ChangesQuery) -> [[String]] {
        let previous = preceding(query.span)
        let (now, before) = (changed(query, in: query.span), changed(query, in: previous))
        typealias Pair = (now: Changed, before: Changed)
        func pair(_ group: ChangedGroup) -> Pair { (now[group] ?? Changed(), before[group] ?? Changed()) }
        let total = pair(.total)

        /// "A group without people in one range has the rate of the other there."
        func effects(_ pair: Pair) -> (rate: Fraction, mix: Fraction)? {
            guard query.isRate, let all = total.now.rate, let allBefore = total.before.rate else { return nil }
            let (then, later) = (pair.before.rate ?? pair.now.rate ?? .zero, pair.now.rate ?? pair.before.rate ?? .zero)
            let (share, shareBefore) = (pair.now.base / total.now.base, pair.before.base / total.before.base)
            let half = Fraction(1, 2)
            return (
                (share + shareBefore) * half * (later - then),
                (share - shareBefore) * ((then + later) * half - (allBefore + all) * half)
            )
        }
        func size(_ group: ChangedGroup) -> Fraction {
            let both = pair(group)
            var size = both.now.sum - both.before.sum
            if query.isRate { size = effects(both).map { $0.rate + $0.mix } ?? both.now.base + both.before.base }
            return size < .zero ? .zero - size : size
        }
        let found = Set(now.keys).union(before.keys).subtracting([.total])
        let named = found.filter { $0 != .named([.others]) }.sorted { one, other in
            size(one) == size(other) ? comesBefore(one, other, query.keys) : size(one) > size(other)
        }.prefix(query.limit)
        let hidden = found.subtracting(named)
        var lines = named.map { (names: cells($0, query), pair: pair($0)) }
        if !hidden.isEmpty {
            var others: Pair = (Changed(), Changed())
            for group in hidden {
                let both = pair(group)
                others = (others.now + both.now, others.before + both.before)
            }
            lines.append((names: single("(others)", query), pair: others))
        }
        // "Holm's method for the number of groups, also those in `(others)`."
        let lengths = [query.span, previous].map { Double($0.to.microseconds - $0.from.microseconds) }
        func pValue(_ pair: Pair) -> Double? { self.pValue(pair.now, pair.before, lengths, query) }
        let tested = Self.holm((named + hidden).map { pValue(pair($0)) })
        var pValues = Array(tested.prefix(named.count))
        if !hidden.isEmpty { pValues.append(nil) }

        func figure(_ changed: Changed) -> Fraction? { query.isRate ? changed.rate : changed.sum }
        let all = Shown(before: rounded(figure(total.before)), after: rounded(figure(total.now)))
        let shown =
            query.isRate
            ? rates(lines.map(\.pair), effects, all) : sums(lines.map(\.pair))
        func share(_ pair: Pair, _ shown: Shown) -> String {
            guard query.isRate else { return Cell.halfAwayRate(shown.change ?? .zero, of: all.change ?? .zero) }
            guard let parts = effects(pair), let rate = total.now.rate, let then = total.before.rate, rate != then
            else { return "" }
            return Cell.difference((parts.rate + parts.mix) / (rate - then))
        }
        func row(_ names: [String], _ shown: Shown, _ share: String, _ pValue: Double?) -> [String] {
            let last = pValue.map { Cell.probability($0) } ?? ""
            return [names, shown.cells(query), [share], shown.effectCells, [last]].flatMap { $0 }
        }
        var rows: [[String]] = []
        for (index, line) in lines.enumerated() {
            rows.append(row(line.names, shown[index], share(line.pair, shown[index]), pValues[index]))
        }
        var totals = all
        if query.isRate, let change = all.change, !lines.isEmpty {
            let rate = Fraction.sum(shown.compactMap { $0.effects?.rate })
            totals.effects = (rate, change - rate)
        }
        let whole: String
        if query.isRate {
            whole =
                total.now.rate != nil && total.before.rate != nil && total.now.rate != total.before.rate
                ? "1.000000" : ""
        } else {
            whole = all.change == .zero ? "" : "1.000000"
        }
        rows.append(row(single("total", query), totals, whole, pValue(total)))
        return rows
    }

    /// Figures in whole millionths, as they are shown.
    private struct Shown {
        var before: Fraction?
        var after: Fraction?
        var effects: (rate: Fraction, mix: Fraction)?

        var change: Fraction? {
            guard let before, let after else { return nil }
            return after - before
        }

        func cells(_ query: ChangesQuery) -> [String] {
            [before, after, change].map { figure in
                figure.map { query.isRate ? Cell.halfAway($0) : Cell.amount($0) } ?? ""
            }
        }

        var effectCells: [String] { effects.map { [Cell.halfAway($0.rate), Cell.halfAway($0.mix)] } ?? ["", ""] }
    }

    /// To millionths, halves away from zero.
    private func rounded(_ fraction: Fraction?) -> Fraction? {
        fraction.map { Fraction(text: Cell.halfAway($0)) ?? .zero }
    }

    /// "Differences of rounded running sums."
    private func sums(_ pairs: [(now: Changed, before: Changed)]) -> [Shown] {
        var running = (now: Fraction.zero, before: Fraction.zero)
        func part(_ sum: Fraction, _ running: inout Fraction) -> Fraction {
            let next = running + sum
            defer { running = next }
            return (rounded(next) ?? .zero) - (rounded(running) ?? .zero)
        }
        return pairs.map { pair in
            let before = part(pair.before.sum, &running.before)
            return Shown(before: before, after: part(pair.now.sum, &running.now))
        }
    }

    /// The same for the effects, one after the other; the last one ends at the change of the total as it is shown.
    private func rates(
        _ pairs: [(now: Changed, before: Changed)],
        _ effects: ((now: Changed, before: Changed)) -> (rate: Fraction, mix: Fraction)?,
        _ all: Shown
    ) -> [Shown] {
        var (exact, told) = (Fraction.zero, Fraction.zero)
        func part(_ effect: Fraction, end: Fraction?) -> Fraction {
            exact = exact + effect
            let next = end ?? Fraction(exact.millionthsHalfUp, 1_000_000)
            defer { told = next }
            return next - told
        }
        return pairs.enumerated().map { index, pair in
            var shown = Shown(before: rounded(pair.before.rate), after: rounded(pair.now.rate))
            if let parts = effects(pair), let change = all.change {
                let rate = part(parts.rate, end: nil)
                shown.effects = (rate, part(parts.mix, end: index == pairs.count - 1 ? change : nil))
            }
            return shown
        }
    }

    /// Of equally large contributions: `direct` last, then by the keys: values that never change in their order, others
    /// by name, `(none)` last.
    private func comesBefore(_ one: ChangedGroup, _ other: ChangedGroup, _ keys: [Grouping]) -> Bool {
        guard case .named(let first) = one else { return false }
        guard case .named(let second) = other else { return true }
        for (key, names) in zip(keys, zip(first, second)) where names.0 != names.1 {
            let order: [String] =
                switch key {
                case .channel: Channel.allCases.map(\.rawValue)
                case .platform: Platform.allCases.map(\.rawValue)
                case .linkForm: InboundLink.Form.allCases.map(\.rawValue)
                case .refFrom: Grouping.refOrigins
                case .sentBy: ["server", "app"]
                case .authenticated, .deferred, .paid: ["false", "true"]
                default: []
                }
            if (names.0 == .none) != (names.1 == .none) { return names.1 == .none }
            let places = [names.0, names.1].map { order.firstIndex(of: $0.text) ?? 0 }
            return places[0] == places[1] ? names.0 < names.1 : places[0] < places[1]
        }
        return false
    }

    private func cells(_ group: ChangedGroup, _ query: ChangesQuery) -> [String] {
        if case .named(let names) = group { return names.map(\.text) }
        return single("direct", query)
    }

    private func single(_ name: String, _ query: ChangesQuery) -> [String] {
        [name] + query.keys.dropFirst().map { _ in "" }
    }

    /// The tests themselves are the product's; what they get is counted here.
    private func pValue(_ now: Changed, _ before: Changed, _ lengths: [Double], _ query: ChangesQuery) -> Double? {
        if query.isRate {
            func whole(_ fraction: Fraction) -> Int { Int((fraction + Fraction(1, 2)).double.rounded(.down)) }
            let sides = [now, before].map { (people: whole($0.base), reached: whole($0.sum)) }
            guard sides.allSatisfy({ $0.people > 0 }) else { return nil }
            return Self.pValue(sides[0], sides[1])
        }
        func sum(_ changed: Changed, _ length: Double) -> PeopleSum {
            func millionths(_ fraction: Fraction) -> Double {
                (Fraction(text: Cell.halfAway(fraction)) ?? .zero).double * 1_000_000
            }
            return PeopleSum(
                sum: millionths(changed.sum).rounded(),
                squares: changed.parts.values.reduce(0) { sum, part in
                    let whole = millionths(part).rounded()
                    return sum + whole * whole
                },
                length: length
            )
        }
        return query.metric == "value"
            ? SumTest.pValue(ofAmounts: sum(now, lengths[0]), sum(before, lengths[1]))
            : SumTest.pValue(ofCounts: sum(now, lengths[0]), sum(before, lengths[1]))
    }
}

extension Oracle.Cell {
    /// A rate whose halves go away from zero.
    fileprivate static func halfAwayRate(_ part: Oracle.Fraction, of whole: Oracle.Fraction) -> String {
        whole == .zero ? undefined : halfAway(part / whole)
    }
}
