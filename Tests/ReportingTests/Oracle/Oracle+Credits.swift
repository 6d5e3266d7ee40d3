import Events
import Foundation
import Time
import InboundLinks

extension Oracle {
    enum Model: String, CaseIterable {
        case last, first, linear, position, decay
    }

    enum Credited: String, CaseIterable {
        case install, conversion
    }

    /// A part of an event that is credited to one touch, or to none: `direct`.
    struct Credit {
        var event: Fact
        var from: Fact?
        var touch: TouchFact? { from?.touch }
        /// A part for each row by ref.
        var parts: [(row: Name, share: Fraction)]
        /// The event's value, in the app's currency.
        var worth: Fraction
        var share: Fraction { .sum(parts.map(\.share)) }
        var value: Fraction { worth * share }
    }

    /// What the credit of one event is divided into by `decay`.
    private static let unit: Int128 = 2_597_186_592_000

    /// The credits of every install or conversion in the range. If there is a goal, only its conversions.
    func credits(
        of credited: Credited,
        goal: String?,
        in span: Span,
        lookback: Duration,
        model: Model
    ) -> [Credit] {
        facts.filter { fact in
            switch credited {
            case .install: fact.isCountedInstall
            case .conversion: fact.conversion.map { isOf(goal: goal, $0) } ?? false
            }
        }
        .filter { span.contains($0.time) }
        .flatMap { credits(of: $0, lookback: lookback, model: model) }
        .compactMap(kept)
    }

    /// "Credits are divided among all touches first, and then kept or not." What no touch is credited with has only
    /// what its person has.
    private func kept(_ credit: Credit) -> Credit? {
        if conditions.isEmpty { return credit }
        guard let fact = credit.from else {
            return conditions.allSatisfy { $0.key == .plan } && isKept(credit.event) ? credit : nil
        }
        guard isKept(fact) else { return nil }
        var credit = credit
        credit.parts.removeAll { !keeps(ref: $0.row) }
        return credit
    }

    private func isOf(goal: String?, _ conversion: Conversion) -> Bool {
        goal.map { Name($0) == Name(conversion.name) } ?? true
    }

    private func credits(of event: Fact, lookback: Duration, model: Model) -> [Credit] {
        let worth = value(of: event)
        let touches = touches(before: event, lookback: lookback)
        if touches.isEmpty { return [Credit(event: event, from: nil, parts: [(.direct, .one)], worth: worth)] }
        return zip(touches, Self.shares(of: touches, at: event.time, model: model)).map { touch, share in
            Credit(event: event, from: touch, parts: Self.parts(of: share, Self.refRows(of: touch)), worth: worth)
        }
    }

    /// The credit of a touch with several refs "is split equally among its refs"; what cannot be divided goes to the
    /// first.
    static func parts(of share: Fraction, _ rows: [Name]) -> [(row: Name, share: Fraction)] {
        let count = Int128(rows.count)
        let units = share * Fraction(unit)
        guard units.denominator == 1 else { return rows.map { ($0, share / Fraction(count)) } }
        let (quotient, rest) = units.numerator.quotientAndRemainder(dividingBy: count)
        return rows.enumerated().map { index, row in
            (row, Fraction(quotient + (Int128(index) < rest ? 1 : 0), unit))
        }
    }

    /// "An install or a conversion at time c is credited to the person's touches whose time lies from c − lookback to
    /// c, both included." "Touches of the channel `bookmarks` are never credited with installs." Ordered by (t,
    /// event_id).
    func touches(before event: Fact, lookback: Duration) -> [Fact] {
        // "An install whose referrer was injected is `direct`."
        guard let person = event.person else { return [] }
        if event.isInjected, case .install = event.kind { return [] }
        let earliest = Timestamp(microseconds: event.time.microseconds - lookback.wholeMicroseconds)
        return touches.filter { touch in
            touch.person == person
                && earliest <= touch.time && touch.time <= event.time
                && !(event.isCountedInstall && touch.touch?.channel == .bookmarks)
        }
        .sorted { ($0.time, $0.eventID) < ($1.time, $1.eventID) }
    }

    static func shares(of touches: [Fact], at time: Timestamp, model: Model) -> [Fraction] {
        let count = touches.count
        switch model {
        case .last:
            return touches.indices.map { $0 == count - 1 ? .one : .zero }
        case .first:
            return touches.indices.map { $0 == 0 ? .one : .zero }
        case .linear:
            return touches.map { _ in Fraction(1, Int128(count)) }
        case .position:
            if count == 1 { return [.one] }
            if count == 2 { return [Fraction(1, 2), Fraction(1, 2)] }
            let between = Fraction(1, 5) / Fraction(count - 2)
            return touches.indices.map { $0 == 0 || $0 == count - 1 ? Fraction(2, 5) : between }
        case .decay:
            // "Running sums of the weights are rounded to 2,597,186,592,000ths of their sum."
            let halfLife = Double(Duration.days(7).wholeMicroseconds)
            let weights = touches.map { exp2(-Double(time.microseconds - $0.time.microseconds) / halfLife) }
            let sum = weights.reduce(0, +)
            let ends = weights.indices.map { last -> Int128 in
                if last == count - 1 { return unit }
                return Int128((weights[...last].reduce(0, +) / sum * Double(unit)).rounded())
            }
            return weights.indices.map { Fraction(ends[$0] - ($0 == 0 ? 0 : ends[$0 - 1]), unit) }
        }
    }

    func value(of event: Fact) -> Fraction {
        guard let conversion = event.conversion, let value = conversion.value, conversion.currency == currency else {
            return .zero
        }
        return Fraction(Int128(value.millionths), 1_000_000)
    }

    /// What each row of a report is credited with; `direct` is one of them.
    func byRow(_ credits: [Credit], by grouping: Grouping) -> [Name: (share: Fraction, value: Fraction)] {
        var rows: [Name: (share: Fraction, value: Fraction)] = [:]
        for credit in credits {
            let deciding = credit.from ?? (grouping == .plan ? credit.event : nil)
            let row = deciding.flatMap { groups(of: $0, by: grouping).first } ?? .direct
            for (name, share) in grouping == .ref ? credit.parts : [(row, credit.share)] {
                let sums = rows[name] ?? (.zero, .zero)
                rows[name] = (sums.share + share, sums.value + credit.worth * share)
            }
        }
        return rows
    }
}
