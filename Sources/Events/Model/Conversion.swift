/// A goal that a person reached, with its value if it has one.
package struct Conversion: Equatable, Sendable {
    package var name: String
    /// In units of `currency`; nil if `currency` is nil. Negative for a refund.
    package var value: DecimalValue?
    /// ISO 4217, upper case.
    package var currency: String?

    package init(name: String, value: DecimalValue? = nil, currency: String? = nil) {
        self.name = name
        self.value = value
        self.currency = currency
    }
}
