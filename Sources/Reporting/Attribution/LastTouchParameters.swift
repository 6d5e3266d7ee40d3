import Events
import Time
import Timelines

/// The parameters of `channels` and `refs`: last-touch credit within a lookback, for conversions of one name or all.
struct LastTouchParameters: Sendable {
    let goal: String?
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        goal = try parameters.text("goal")
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(
            types: TimelineQuery.touchTypes.union([.conversion]),
            touchesFrom: range.from.advanced(by: .zero - lookback.duration),
            eventsFrom: range.from,
            through: range.to
        )
    }

    func events(_ run: ReportRun) -> CreditedEvents {
        CreditedEvents(
            range: run.range,
            goal: goal.map { run.dictionary.goal($0) },
            currency: run.dictionary.currency(run.currency)
        )
    }
}
