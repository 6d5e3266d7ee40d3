import CoreMetrics
import Redirects

/// The metrics of short links.
struct RedirectMetrics: Sendable {
    private let outcomes: CounterTable<String>
    private let clicks: CounterTable<StoreReceipt.Place>
    private let lost: any CounterHandler
    private let withoutCode: any CounterHandler

    /// The outcome of requests that came too often from one address.
    static let limited = "rate_limited"
    /// The outcome of requests for links that may be new, while the database is unavailable.
    static let unavailable = "unavailable"

    init(_ metrics: PrometheusMetrics) {
        outcomes = CounterTable(
            metrics,
            "tributary_redirects_total",
            "Requests at hosts of short links, by what they got"
        ) { [("outcome", $0)] }
        clicks = CounterTable(
            metrics,
            "tributary_clicks_total",
            "Clicks on short links that were stored before the answer, by where"
        ) { [("stored", $0.rawValue)] }
        lost = metrics.counter(
            "tributary_clicks_lost_total",
            "Clicks that could not be stored anywhere; their visitors were sent on"
        )
        withoutCode = metrics.counter(
            "tributary_pages_without_code_total",
            "Pages that should show a code and did not, because their click was not committed in time"
        )
        // Present from the start, so that a rate over them begins at 0.
        for place in [StoreReceipt.Place.database, .spool] { clicks.increment(place, by: 0) }
        for outcome in Outcome.allCases.map(\.rawValue) + [Self.limited, Self.unavailable] {
            outcomes.increment(outcome, by: 0)
        }
    }

    func answered(_ outcome: String) {
        outcomes.increment(outcome, by: 1)
    }

    func showedNoCode() {
        withoutCode.increment(by: 1)
    }

    /// - Parameter place: nil if the click is lost.
    func stored(in place: StoreReceipt.Place?) {
        if let place { clicks.increment(place, by: 1) } else { lost.increment(by: 1) }
    }
}
