extension ReportWarning {
    /// That conversions in other currencies are in no value; nil if there are none.
    ///
    /// - Parameters:
    ///   - isPrevious: whether they are of the preceding range.
    ///   - column: what does not contain them.
    init?(_ amounts: [OtherCurrencies.Amount], isPrevious: Bool, column: String) {
        guard !amounts.isEmpty else { return nil }
        var all = CreditSum()
        for amount in amounts { all += amount.sum }
        let count = all.unitsCell.plainText ?? ""
        let sums = amounts.map { "\($0.sum.valueCell.plainText ?? "") \($0.currency)" }.joined(separator: ", ")
        let range = isPrevious ? " of the preceding range" : ""
        let isOne = count == "1"
        let conversions = "\(count) conversion\(isOne ? "" : "s")\(range) in other currencies"
        self.init(
            sums: amounts.map { Sum(currency: $0.currency, amount: $0.sum.valueCell) },
            message: "\(conversions) \(isOne ? "is" : "are") not in \(column): \(sums)"
        )
    }
}
