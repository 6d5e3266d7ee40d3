/// How columns of a report were reckoned, by the name that statisticians give it. JSON has it as metadata, the table for
/// people below the rows.
package struct StatisticalMethod: Equatable, Sendable {
    package var columns: [String]
    package var name: String

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
        name: "Wald interval of the difference, unpooled variance, 95 %"
    )
    /// See `TwoProportionTest`.
    static let twoProportionTest = StatisticalMethod(
        columns: ["p_value"],
        name: "two-proportion z-test, pooled variance, two-sided"
    )

    /// The p-values of one table, adjusted by `holmAdjusted` for how many comparisons it has.
    static func holmAdjusted(_ test: StatisticalMethod, comparisons: Int) -> StatisticalMethod {
        StatisticalMethod(columns: test.columns, name: "\(test.name); Holm correction for \(comparisons) comparisons")
    }
}
