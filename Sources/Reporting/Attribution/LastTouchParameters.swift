import Events
import Time
import Timelines

/// The parameters of `channels`, `refs` and `links`: which touches count, and last-touch credit within a lookback, for
/// conversions of one name or all.
struct LastTouchParameters: Sendable {
    /// What help texts and the API say of them.
    static let described: [ReportParameter] = [.filter(EventGrouping.filterKeys(of: .touch)), .goal, .lookback]
    /// The figures whose people these reports list.
    static let peopleFigures = ["touches", "installs", "conversions"]

    let filter: EventFilter
    let goal: String?
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch))
        goal = try parameters.text("goal")
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") + filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery(TimelineQuery.touchTypes.union([.conversion]), in: range, lookback: lookback)
        filter.add(to: &query)
        return query
    }

    func events(_ run: ReportRun) -> CreditedEvents {
        CreditedEvents(
            range: run.range,
            goal: goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
    }
}
