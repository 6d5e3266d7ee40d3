import Events
import Timelines

/// What changed between two ranges of one length, and which groups carry the change.
struct ChangesReport: Report {
    static let name = "changes"
    static let summary =
        "What changed since the preceding range, and which channels, refs or other values carry the change."
    static let examples = ["--metric installs --by ref", "--metric install_rate --by ref,platform"]
    private static let keys = EventGrouping.filterKeys(of: .touch).map(BreakdownKey.grouping)
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "metric",
            "METRIC",
            "What changed: touches, distinct people with a touch, last-touch credits of installs or conversions or their value, the share of these people who installed or converted, or active people.",
            default: ChangeMetric.installs.rawValue,
            allowed: ChangeMetric.allCases.map(\.rawValue)
        ),
        ReportParameter(
            "by",
            "KEYS",
            "What rows are counted by, one or two, separated by a comma: \(keys.map(\.rawValue).joined(separator: ", ")).",
            default: BreakdownKey.channel.rawValue,
            offered: keys.map(\.rawValue)
        ),
        ReportParameter(
            "limit",
            "NUMBER",
            "The most rows, 1–\(GroupFinder.limits.upperBound), those that contribute most; the rest is one, (others).",
            default: String(GroupFinder.defaultLimit)
        ),
        .filter(EventGrouping.filterKeys(of: .touch)), .goal, .lookback,
    ]
    static let columns = [ReportColumn.text("channel", "The channel of the touches.")] + figures(of: nil)
    static let allColumns = keys.map(column) + figures(of: nil)

    private static func column(of key: BreakdownKey) -> ReportColumn {
        let isRef = key == .ref
        let meaning = isRef ? "The ref. A touch with several refs is divided among them." : key.meaning
        return .text(key.rawValue, meaning).only("with `--by \(key.rawValue)`")
    }

    /// - Parameter metric: nil for any.
    private static func figures(of metric: ChangeMetric?) -> [ReportColumn] {
        func figure(_ name: String, _ meaning: String) -> ReportColumn {
            if let metric, metric.isRate { return .rate(name, meaning) }
            return .decimal(name, unit: metric?.unit ?? "what `--metric` counts", meaning)
        }
        return [
            figure("before", "The metric in the preceding range. Empty if that began before the app's first event."),
            figure("after", "The metric in the range."),
            figure("change", "`after` − `before`."),
            .rate(
                "share_of_change",
                "The row's contribution ÷ the change of `total`; negative for a row that changed in the other direction. The contribution is `change`, and of a rate `rate_effect` + `mix_effect`."
            ),
            .rate(
                "rate_effect",
                "Of a rate, what the change of the row's own rate contributes: the mean of the row's two shares of the people × `change`. Empty for other metrics."
            ),
            .rate(
                "mix_effect",
                "Of a rate, what the change of the row's share of the people contributes: that change × (the mean of the row's two rates − the mean of those of `total`). Empty for other metrics."
            ),
            .probability(
                "p_value",
                "The p-value of `change`, two-sided: of counts by the conditional test of two Poisson counts, of `value` by a z-test, of rates by the two-proportion z-test, of the row's own rate, not of its share of the people; in all rows but `total` with Holm's correction for the number of groups. Empty for `(others)`, and where nothing can be tested."
            ),
        ]
    }

    static var comparesItself: Bool { true }
    static var needsPrevious: Bool { true }

    let metric: ChangeMetric
    /// One or two, different.
    let keys: [BreakdownKey]
    let limit: Int
    let filter: EventFilter
    let goal: String?
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        metric = try parameters.choice("metric", default: .installs)
        let refused = (metric.isOfConversions ? [] : ["goal"]) + (metric.isCredited ? [] : ["lookback"])
        for name in refused where parameters.isGiven(name) {
            throw .invalid(name, "means nothing for the metric \(metric.rawValue); leave it out")
        }
        keys = try parameters.breakdownKeys(among: parameters.filterKeys(of: .touch).map(BreakdownKey.grouping))
        limit = try parameters.count("limit", default: GroupFinder.defaultLimit, allowed: GroupFinder.limits)
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch))
        goal = try parameters.text("goal")
        let week = ReportDuration(days: 7)
        lookback = metric.isCredited ? try parameters.duration("lookback", default: week) : week
    }

    var columns: [ReportColumn] { keys.map(Self.column) + Self.figures(of: metric) }

    var methods: [StatisticalMethod] {
        if metric.isRate { return [.twoProportionTest.holmAdjusted(over: "groups")] }
        return [(metric == .value ? StatisticalMethod.sumTest : .countTest).holmAdjusted(over: "groups")]
    }

    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") + filter.namedValues }

    /// Whether the rows are of people, who also have what no touch is credited with.
    var isOfPeople: Bool { keys.allSatisfy { $0.grouping?.isOfPerson == true } }

    /// Both ranges.
    func query(in range: ReportRange) -> TimelineQuery {
        let types =
            metric == .active ? Set(EventType.allCases) : TimelineQuery.touchTypes.union([.conversion])
        var query = TimelineQuery(types, in: range.withPreceding, lookback: metric.isCredited ? lookback : nil)
        filter.add(to: &query)
        for key in keys { key.grouping.map { query.need($0) } }
        return query
    }

    func makeFold(_ run: ReportRun) -> ChangesFold { ChangesFold(self, run) }
}
