import CoreMetrics
import Time
import Ingest
import Reporting
import Synchronization

/// The metrics of the figures for BI tools: how far they are behind, and what refreshing them costs.
final class FiguresMetrics: Sendable {
    private struct State {
        var statuses: [FigureStatus] = []
        var isLeader = false
    }

    private let state = Mutex(State())
    private let refreshed: any CounterHandler
    private let unchanged: any CounterHandler
    private let failures: any CounterHandler
    private let durations: any TimerHandler

    init(_ metrics: PrometheusMetrics) {
        func refreshes(_ outcome: String) -> any CounterHandler {
            metrics.counter(
                "tributary_figures_refreshes_total",
                "Refreshes of an app's figures, by outcome; most find nothing new",
                [("outcome", outcome)]
            )
        }
        refreshed = refreshes("refreshed")
        unchanged = refreshes("unchanged")
        failures = refreshes("failed")
        durations = metrics.histogram(
            "tributary_figures_refresh_duration_seconds",
            "Time to refresh an app's figures, if anything was new",
            buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]
        )
        metrics.reading(gauges)
    }

    /// The status of every app, at the last change scan.
    var statuses: [FigureStatus] {
        get { state.withLock { $0.statuses } }
        set { state.withLock { $0.statuses = newValue } }
    }

    var isLeader: Bool {
        get { state.withLock { $0.isLeader } }
        set { state.withLock { $0.isLeader = newValue } }
    }

    func refreshed(_ didAnything: Bool, after time: Duration) {
        guard didAnything else { return unchanged.increment(by: 1) }
        refreshed.increment(by: 1)
        durations.record(time)
    }

    func failed() {
        failures.increment(by: 1)
    }

    private func gauges() -> [MetricReading] {
        let (statuses, isLeader) = state.withLock { ($0.statuses, $0.isLeader) }
        let now = Timestamp.now.microseconds
        let oldest = statuses.map(\.countedThrough.microseconds).min() ?? now
        return [
            MetricReading(
                "tributary_figures_lag_seconds",
                "Time since the daily figures counted every stored event, for the app that is furthest behind",
                Double(max(0, now - oldest)) / 1e6
            ),
            MetricReading(
                "tributary_figures_lag_events",
                "Stored events that the last change scan had not seen yet",
                statuses.reduce(0) { $0 + $1.pendingEvents }
            ),
            MetricReading(
                "tributary_figures_stale_periods",
                "Days, weeks and months whose figures will be computed again, at the last change scan",
                statuses.reduce(0) { $0 + $1.staleSpans }
            ),
            MetricReading(
                "tributary_figures_leader",
                "1 if this daemon refreshes the figures, 0 if another does or none can",
                isLeader ? 1 : 0
            ),
        ]
    }
}
