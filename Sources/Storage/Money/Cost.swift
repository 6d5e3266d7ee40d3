package import Events
package import Time

/// What a ref, a channel or a short link cost on some days (docs/money.md).
package struct Cost: Equatable, Sendable {
    /// What a cost is of.
    package enum Kind: String, CaseIterable, Sendable {
        case ref
        case channel
        /// A short link, as `host/slug`.
        case link
    }

    /// How many days a cost may have.
    package static let dayLimit = 366

    /// 0: it is not stored yet.
    package var number: Int64 = 0
    package var kind: Kind
    package var name: String
    /// The first day, in the app's time zone.
    package var from: CivilDate
    /// The day after the last one.
    package var to: CivilDate
    package var amount: DecimalValue
    /// ISO 4217.
    package var currency: String

    /// - Parameter to: later than `from`, by at most ``dayLimit`` days.
    package init(
        of kind: Kind,
        named name: String,
        from: CivilDate,
        to: CivilDate,
        amount: DecimalValue,
        currency: String
    ) {
        self.kind = kind
        self.name = name
        self.from = from
        self.to = to
        self.amount = amount
        self.currency = currency
    }

    /// Its part of a day, in millionths. All days have the same; what is left over goes to the first ones, a millionth
    /// each, so that the parts sum to the amount.
    ///
    /// - Parameter day: one of its days.
    package func part(of day: CivilDate) -> Int64 {
        let (part, rest) = amount.millionths.quotientAndRemainder(dividingBy: Int64(to.number - from.number))
        return part + (Int64(day.number - from.number) < rest ? 1 : 0)
    }

    /// Whether another cost is of the same name and days.
    package func hasPlace(of other: Cost) -> Bool {
        kind == other.kind && name.utf8.elementsEqual(other.name.utf8) && from == other.from && to == other.to
    }
}
