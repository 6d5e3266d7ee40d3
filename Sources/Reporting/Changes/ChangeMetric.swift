/// The figure whose change `changes` explains.
enum ChangeMetric: String, CaseIterable, Sendable {
    case touches
    case people
    case installs
    case conversions
    case value
    case installRate = "install_rate"
    case conversionRate = "conversion_rate"
    case active

    /// What it counts; nil for rates.
    var unit: String? {
        switch self {
        case .touches, .installs, .conversions: rawValue
        case .people, .active: "people"
        case .value: ReportColumn.currency
        case .installRate, .conversionRate: nil
        }
    }

    var isRate: Bool { unit == nil }

    /// Whether it is of events that are credited to touches.
    var isCredited: Bool { [.installs, .conversions, .value].contains(self) }

    /// Whether it depends on conversions, which have names.
    var isOfConversions: Bool { [.conversions, .value, .conversionRate].contains(self) }

    /// A sum of ``ChangesFold`` in millionths of the unit. Such sums are in credit units, those of `value` in
    /// millionths × credit units.
    func millionths(_ sum: Int128) -> Int128 {
        roundedQuotient(self == .value ? sum : sum * 1_000_000, by: Int128(CreditUnits.one))
    }
}
