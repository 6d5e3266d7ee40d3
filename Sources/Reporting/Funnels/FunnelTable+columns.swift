extension FunnelTable {
    private static let keyColumns: [ReportColumn] = [
        .text(
            "group",
            "The group, by one property of the first event, or by two: `search / winter`. `total`, the last group, counts all."
        ),
        .integer("step", unit: "position", "The step's number, from 1.").asKey(),
        .text("name", "The step's name; in any order, how many of the steps: `2 of 3`."),
        .integer("people", unit: "people", "People who reached the step."),
    ]

    private static let unknownTimes = ReportColumn.integer(
        "unknown_times",
        unit: "people",
        "People who reached the step after a time that nobody knows, because a deferred link does not say when it was tapped. They are in no time or median."
    )

    private static let stepColumns: [ReportColumn] = [
        .integer(
            "open",
            unit: "people",
            "People who have not reached the step but still can: they have reached the step before, and the window of a start that got there has not ended. It is about the very next step only: somebody at step 1 is not in the `open` of step 3. 0 for step 1."
        ),
        .integer(
            "dropped",
            unit: "people",
            "People who reached the step before, have not reached this one and cannot any more: they are lost. With `people` and `open` they are the people of the step before. 0 for step 1."
        ),
        .rate("rate_from_first", "`people` ÷ the people of step 1. Empty if nobody started.")
            .asShare(.ofStep("people", isFirst: true)),
        .rate("rate_from_previous", "`people` ÷ the people of the step before. Empty for step 1.")
            .asShare(.ofStep("people", isFirst: false)),
        .rate("ci_low", "Lower end of the Wilson 95 % interval of `rate_from_first`."),
        .rate("ci_high", "Upper end of that interval."),
        .decimal(
            "median_seconds",
            unit: "seconds",
            "The median of the times to the step: for each person who reached it, the shortest time from a start. Without the `unknown_times`; empty if no time is known."
        ),
    ]

    private static let previousColumns: [ReportColumn] = [
        .integer("previous_people", unit: "people", "`people` of the preceding range of the same length."),
        .integer("previous_open", unit: "people", "`open` of the preceding range. 0 with `--matured`, the default."),
        .rate("previous_rate_from_first", "`rate_from_first` of the preceding range."),
        .rate("difference", "`rate_from_first` − `previous_rate_from_first`."),
        .rate(
            "difference_ci_low",
            "Lower end of Newcombe's 95 % interval of the difference, with Holm's correction as `p_value_adjusted`. Empty for step 1, whose rate is 1 by definition, and while more than a tenth of the people of step 1 can still reach the step, in either range."
        ),
        .rate("difference_ci_high", "Upper end of that interval."),
        .probability(
            "p_value",
            "The p-value of the two-sided two-proportion z-test of the two rates, with the pooled variance. Empty if nobody or everybody succeeded, and where the interval is."
        ),
        .probability(
            "p_value_adjusted",
            "`p_value` with Holm's correction for the groups that are tested at the same step. That of `total` is not corrected."
        ),
    ]

    private static let timeColumns: [ReportColumn] = [
        .decimal("p50_seconds", unit: "seconds", "The 50th percentile of the times to the step, the `median_seconds`."),
        .decimal("p90_seconds", unit: "seconds", "The 90th percentile: nine of ten were as quick."),
        .decimal("p95_seconds", unit: "seconds", "The 95th percentile."),
        .decimal("p99_seconds", unit: "seconds", "The 99th percentile."),
        .integer("bin_from_seconds", unit: "seconds", "Where the bin begins. This time is not included, except 0.")
            .asKey(),
        .integer("bin_to_seconds", unit: "seconds", "Where the bin ends, included.").asKey(),
        .integer(
            "bin_people",
            unit: "people",
            "People whose time lies in the bin. The bins of a step and its `unknown_times` add up to `people`."
        ),
        .rate("bin_share", "`bin_people` ÷ the people whose time is known. Empty if there are none."),
    ]

    static let injectedColumn = ReportColumn.integer(
        "installs_injected",
        unit: "installs",
        "In the row of the step `install` of `total`: installs in the range whose referrer was injected. They are `direct`, so no tap led to them. Empty in other rows, and with `--where`."
    )

    /// The columns of all tables. Those that only one table has carry a condition.
    static let allColumns: [ReportColumn] =
        keyColumns + stepColumns.map { $0.only("without `--times`") } + [unknownTimes]
        + previousColumns.map { $0.only("with `--compare-previous`") } + timeColumns.map { $0.only("with `--times`") }

    var columns: [ReportColumn] {
        switch self {
        case .steps: Self.keyColumns + Self.stepColumns + [Self.unknownTimes]
        case .stepsBesidePrevious: Self.keyColumns + Self.stepColumns + [Self.unknownTimes] + Self.previousColumns
        case .times: Self.keyColumns + [Self.unknownTimes] + Self.timeColumns
        }
    }

    private var holmCorrection: String { "Holm correction for the groups of a step, without total" }

    var methods: [StatisticalMethod] {
        switch self {
        case .steps: [.wilsonInterval]
        case .stepsBesidePrevious:
            [
                .wilsonInterval,
                StatisticalMethod(
                    columns: ["difference_ci_low", "difference_ci_high"],
                    name: "\(StatisticalMethod.differenceInterval.name); \(holmCorrection)"
                ),
                .twoProportionTest,
                StatisticalMethod(
                    columns: ["p_value_adjusted"],
                    name: holmCorrection
                ),
            ]
        case .times:
            [
                StatisticalMethod(
                    columns: FunnelTimes.percents.map { "p\($0)_seconds" },
                    name: "percentiles of type 7 (Hyndman and Fan), linear between two times"
                )
            ]
        }
    }
}
