package import Time

/// What amounts in other currencies are worth in the app's (docs/money.md). Set in the dictionary of a run
/// (`TimelineDictionary.rates`): folds then see every value that has a rate in the app's currency.
package struct ExchangeRates: Equatable, Sendable {
    /// From an instant on to before another, one unit of a currency is worth `numerator` ÷ `denominator` units of the
    /// app's. Both are above 0.
    package struct Rate: Equatable, Sendable {
        var from: Timestamp
        var to: Timestamp
        var numerator: Int64
        var denominator: Int64

        package init(from: Timestamp, to: Timestamp, numerator: Int64, denominator: Int64) {
            self.from = from
            self.to = to
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// The app's, ISO 4217.
    package let currency: String
    private let rates: [String: [Rate]]

    /// - Parameter rates: for each currency those of times that do not overlap, the earliest first.
    package init(to currency: String, rates: [String: [Rate]]) {
        self.currency = currency
        self.rates = rates
    }

    /// The largest amount, in millionths, as for values of events (`DecimalValue`): so sums cannot overflow.
    private static let limit: Int128 = 1_000_000_000_000_000_000

    /// An amount in the app's currency, halves to even; nil if there is no rate, or if it is more than an event may
    /// have.
    ///
    /// - Parameter amount: in millionths, at most 10^18.
    package func amount(_ amount: Int64, of currency: String, at time: Timestamp) -> Int64? {
        currency == self.currency ? amount : rates[currency].flatMap { Self.amount(amount, by: $0, at: time) }
    }

    fileprivate func rates(of currency: String) -> [Rate] { rates[currency] ?? [] }

    fileprivate static func amount(_ amount: Int64, by rates: [Rate], at time: Timestamp) -> Int64? {
        let next = rates.firstPosition { time < $0.from }
        guard next > 0, time < rates[next - 1].to else { return nil }
        let rate = rates[next - 1]
        let product = Int128(amount) * Int128(rate.numerator)
        let denominator = Int128(rate.denominator)
        var (quotient, rest) = product.quotientAndRemainder(dividingBy: denominator)
        let doubled = rest.magnitude * 2
        if doubled > denominator.magnitude || doubled == denominator.magnitude && !quotient.isMultiple(of: 2) {
            quotient += rest < 0 ? -1 : 1
        }
        return quotient.magnitude <= limit.magnitude ? Int64(quotient) : nil
    }
}

/// The rates of a run by the codes of its currencies.
struct CodedRates {
    let rates: ExchangeRates
    /// The app's currency.
    fileprivate let own: Code
    /// By code; nil if the currency has not been met.
    fileprivate var known: [[ExchangeRates.Rate]?] = []
}

extension TimelineDictionary {
    /// The rates by which values of other currencies become values of the app's. Set it before the first person is
    /// read; nil: values stay as they are. It goes on when the dictionary forgets its texts.
    package var rates: ExchangeRates? {
        get { codedRates?.rates }
        set { codedRates = newValue.map { CodedRates(rates: $0, own: code(of: $0.currency, as: .currency)) } }
    }

    /// Makes values of other currencies values of the app's, if their time has a rate.
    func convertValues(of events: inout [TimelineEvent]) {
        guard let own = codedRates?.own else { return }
        for position in events.indices where !events[position].currency.isNone && events[position].currency != own {
            let (code, time) = (events[position].currency, events[position].occurredAt)
            guard let value = ExchangeRates.amount(events[position].value, by: rates(of: code), at: time) else {
                continue
            }
            events[position].value = value
            events[position].currency = own
        }
    }

    private func rates(of currency: Code) -> [ExchangeRates.Rate] {
        let index = currency.index
        if let known = codedRates?.known, index < known.count, let rates = known[index] { return rates }
        let rates = codedRates?.rates.rates(of: self[.currency].text(of: currency)) ?? []
        while index >= codedRates?.known.count ?? .max { codedRates?.known.append(nil) }
        codedRates?.known[index] = rates
        return rates
    }
}
