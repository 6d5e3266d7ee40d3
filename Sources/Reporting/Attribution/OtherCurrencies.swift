import Events
import Timelines

/// Conversions whose value is in another currency than the app's, so that no `value` of a report contains it.
struct OtherCurrencies {
    /// What a report counts in one currency.
    struct Amount: Equatable, Sendable {
        /// ISO 4217.
        var currency: String
        var sum: CreditSum
    }

    private let own: Code
    private let dictionary: TimelineDictionary
    private var sums: [Code: CreditSum] = [:]

    init(_ run: ReportRun) {
        own = run.dictionary.code(of: run.currency, as: .currency)
        dictionary = run.dictionary
    }

    /// - Parameter units: the part of the event's credit that the report counts.
    mutating func add(_ event: TimelineEvent, units: Int64 = CreditUnits.one) {
        guard event.value != 0, event.currency != own, units > 0 else { return }
        sums[event.currency, default: CreditSum()].add(units: units, value: event.value)
    }

    /// Adds several conversions of one currency.
    ///
    /// - Parameter value: in millionths.
    mutating func add(_ value: Int128, of currency: Code, conversions: Int64) {
        guard currency != own else { return }
        let one = Int128(CreditUnits.one)
        sums[currency, default: CreditSum()] += CreditSum(units: Int128(conversions) * one, value: value * one)
    }

    static func += (amounts: inout OtherCurrencies, other: OtherCurrencies) {
        for (currency, sum) in other.sums { amounts.sums[currency, default: CreditSum()] += sum }
    }

    /// How many conversions they are, in credit units.
    var units: Int128 { sums.values.reduce(0) { $0 + $1.units } }

    /// By the code of the currency.
    var amounts: [Amount] {
        sums.map { Amount(currency: dictionary[.currency].text(of: $0.key), sum: $0.value) }
            .sorted { precedes($0.currency, $1.currency) }
    }
}
