/// What can be said of the difference of two rates or means: the one rule of all words about it.
///
/// The p-value and the interval are computed by two methods, which may differ near 0.05. So a difference is called more
/// than chance only if both say so, and chance only if neither does.
package enum Verdict: String, Sendable {
    case moreThanChance = "more than chance"
    case mayBeChance = "may be chance"
    case borderline = "at the edge of chance"
    /// The report computed no p-value or no interval.
    case none = "no verdict"

    /// Of a test that has no interval.
    package init(pValue: Double?) {
        self = pValue.map { $0 < significanceLevel ? .moreThanChance : .mayBeChance } ?? .none
    }

    package init(pValue: Double?, low: Double?, high: Double?) {
        guard let pValue, let low, let high else {
            self = .none
            return
        }
        switch (pValue < significanceLevel, low <= 0 && high >= 0) {
        case (true, false): self = .moreThanChance
        case (false, true): self = .mayBeChance
        default: self = .borderline
        }
    }
}
