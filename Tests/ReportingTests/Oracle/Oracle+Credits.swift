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
        var share: Fraction
        /// The event's value times the share, in the app's currency.
        var value: Fraction
    }

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

    /// "Credits are divided among all touches first, and then kept or not." What no touch is credited with has no
    /// properties, and is kept only without conditions.
    private func kept(_ credit: Credit) -> Credit? {
        if conditions.isEmpty { return credit }
        guard let fact = credit.from else { return nil }
        let part = keptPart(of: fact)
        guard part > .zero else { return nil }
        return Credit(event: credit.event, from: fact, share: credit.share * part, value: credit.value * part)
    }

    private func isOf(goal: String?, _ conversion: Conversion) -> Bool {
        goal.map { Name($0) == Name(conversion.name) } ?? true
    }

    private func credits(of event: Fact, lookback: Duration, model: Model) -> [Credit] {
        let worth = value(of: event)
        let touches = touches(before: event, lookback: lookback)
        if touches.isEmpty { return [Credit(event: event, from: nil, share: .one, value: worth)] }
        return zip(touches, Self.shares(of: touches, at: event.time, model: model)).map { touch, share in
            Credit(event: event, from: touch, share: share, value: worth * share)
        }
    }

    /// "An install or a conversion at time c is credited to the person's touches whose time lies from c − lookback to
    /// c, both included." "Touches of the channel `bookmarks` are never credited with installs." Ordered by (t,
    /// event_id).
    func touches(before event: Fact, lookback: Duration) -> [Fact] {
        guard let person = event.person else { return [] }
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
            // Real numbers: exact to 2⁻⁴⁸, and exact if the number of touches at one instant is a power of 2.
            let halfLife = Double(Duration.days(7).wholeMicroseconds)
            let weights = touches.map { exp2(-Double(time.microseconds - $0.time.microseconds) / halfLife) }
            let sum = weights.reduce(0, +)
            let unit = exp2(48.0)
            return weights.map { Fraction(Int128(($0 / sum * unit).rounded()), Int128(unit)) }
        }
    }

    func value(of event: Fact) -> Fraction {
        guard let conversion = event.conversion, let value = conversion.value, conversion.currency == currency else {
            return .zero
        }
        return Fraction(Int128(value.millionths), 1_000_000)
    }

    /// What each row of a report by channel or ref is credited with; `direct` is one of them. The credit of a touch
    /// with several refs "is split equally among its refs".
    func byRow(_ credits: [Credit], by grouping: Grouping) -> [Name: (share: Fraction, value: Fraction)] {
        var rows: [Name: (share: Fraction, value: Fraction)] = [:]
        for credit in credits {
            let names = credit.from.map { groups(of: $0, by: grouping) } ?? [.direct]
            let part = Fraction(1, Int128(names.count))
            for name in names {
                let sums = rows[name] ?? (.zero, .zero)
                rows[name] = (sums.share + credit.share * part, sums.value + credit.value * part)
            }
        }
        return rows
    }

    enum CreditGrouping: String, CaseIterable {
        case channel, ref
    }
}
