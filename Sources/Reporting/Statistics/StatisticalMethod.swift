/// How columns of a report were computed, by its name in statistics. JSON has it as metadata, the table for people
/// below the rows.
package struct StatisticalMethod: Equatable, Sendable {
    package var columns: [String]
    package var name: String

    /// `p_value: two-proportion z-test, pooled variance, two-sided`
    package var text: String { "\(columns.joined(separator: ", ")): \(name)" }

    package init(columns: [String], name: String) {
        self.columns = columns
        self.name = name
    }
}

extension StatisticalMethod {
    /// See `WilsonInterval`.
    static let wilsonInterval = StatisticalMethod(
        columns: ["ci_low", "ci_high"],
        name: "Wilson score interval of rate_from_first, 95 %"
    )
    /// See `TwoProportionTest`.
    static let differenceInterval = StatisticalMethod(
        columns: ["ci_low", "ci_high"],
        name: "Newcombe hybrid score interval of the difference, 95 %"
    )
    /// See `TwoProportionTest`.
    static let twoProportionTest = StatisticalMethod(
        columns: ["p_value"],
        name: "two-proportion z-test, pooled variance, two-sided"
    )

    /// See `WelchTest`.
    static let welchInterval = StatisticalMethod(
        columns: ["ci_low", "ci_high"],
        name: "Welch's t interval of the difference, 95 %"
    )
    /// See `WelchTest`.
    static let welchTest = StatisticalMethod(columns: ["p_value"], name: "Welch's t-test, two-sided")

    /// See `SumTest`.
    static let countTest = StatisticalMethod(
        columns: ["p_value"],
        name: "conditional test of two Poisson counts, mid-p, for the spread of people, two-sided"
    )
    /// See `SumTest`.
    static let sumTest = StatisticalMethod(columns: ["p_value"], name: "z-test of two sums over people, two-sided")

    /// The same method, corrected for several tests.
    ///
    /// - Parameter tested: what is corrected together: the rows (`holmCorrected`), or more than these.
    func holmAdjusted(over tested: String = "rows") -> StatisticalMethod {
        StatisticalMethod(columns: columns, name: "\(name); Holm correction over all \(tested)")
    }
}
