import Events
import InboundLinks

extension Oracle {
    struct AttributionQuery {
        var span: Span
        var credited: Credited = .conversion
        /// Ignored for installs.
        var goal: String?
        var models: [Model] = [.last]
        var grouping: Grouping = .channel
        var limit = 50
        var lookback: Duration = .days(7)
    }

    /// `group, model, credits, share, value`
    ///
    /// Chosen: the rows of a model stand together, and models come in the requested order. Groups sort by the credits
    /// as shown, with 6 decimals, so that the last bit of a real number never decides the order. Installs have no
    /// `value`. By ref, `(none)` is always shown, as in `refs`; by other keys, where it has credits.
    func attribution(_ query: AttributionQuery) -> [[String]] {
        // "A condition on a property of conversions concerns the conversion itself."
        let ofEvent = filtered(by: conditions.filter { $0.key == .tier })
        let ofTouch = filtered(by: conditions.filter { $0.key != .tier })
        func credits(_ model: Model) -> [Credit] {
            ofTouch.credits(
                of: query.credited,
                goal: query.goal,
                in: query.span,
                lookback: query.lookback,
                model: model
            )
            .filter { ofEvent.isKept($0.event) }
        }
        // "Every model shows the groups that any of them credits."
        let found = Set(
            query.models.flatMap { model in
                byRow(credits(model), by: query.grouping).filter { $0.value.share > .zero }.keys
            }
        )
        // "Those with the most credits by the first of the models."
        let ranked = byRow(credits(query.models[0]), by: query.grouping)
        func rank(_ name: Name) -> Int128 { ranked[name]?.share.millionthsHalfUp ?? 0 }
        let candidates = found.subtracting([.direct, .none, .others])
            .sorted { rank($0) == rank($1) ? $0 < $1 : rank($0) > rank($1) }
        let shown = query.grouping == .channel ? candidates : Array(candidates.prefix(query.limit))
        let hidden = found.subtracting([.direct, .none]).subtracting(shown)
        return query.models.flatMap { model in
            let credits = credits(model)
            let rows = byRow(credits, by: query.grouping)
            // The shares of an event sum to 1, so this is the number of events, or what a filter keeps of them.
            let total = (share: Fraction.sum(credits.map(\.share)), value: Fraction.sum(credits.map(\.value)))

            func row(_ name: Name, _ sums: (share: Fraction, value: Fraction)) -> [String] {
                [
                    name.text, model.rawValue, Cell.amount(sums.share), Cell.rate(sums.share, of: total.share),
                ] + (query.credited == .install ? [] : [Cell.amount(sums.value)])
            }
            let named = Self.ordered(Set(shown), by: query.grouping) { name in
                Fraction(rows[name]?.share.millionthsHalfUp ?? 0)
            }
            let others = hidden.compactMap { rows[$0] }
            let rest = (share: Fraction.sum(others.map(\.share)), value: Fraction.sum(others.map(\.value)))
            let hasNone = query.grouping == .ref || found.contains(.none)
            let last: [Name] = hasNone ? [.none, .direct] : [.direct]
            var table: [[String]] = named.map { row($0, rows[$0] ?? (.zero, .zero)) }
            if !hidden.isEmpty { table.append(row(.others, rest)) }
            for name in last { table.append(row(name, rows[name] ?? (.zero, .zero))) }
            return table + [row(.total, total)]
        }
    }
}
