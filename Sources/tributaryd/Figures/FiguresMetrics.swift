import CoreMetrics
import Time
import Ingest
import Reporting
import Synchronization

/// The metrics of the figures for BI tools: how far they are behind, and what refreshing them costs.
final class FiguresMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(
            name: lagSeconds,
            kind: .gauge,
            help: "Time since the daily figures counted every stored event, for the app that is furthest behind"
        ),
        MetricDescription(
            name: lagEvents,
            kind: .gauge,
            help: "Stored events that the last change scan had not seen yet"
        ),
        MetricDescription(
            name: staleSpans,
            kind: .gauge,
            help: "Days, weeks and months whose figures will be computed again, at the last change scan"
        ),
        MetricDescription(
            name: leader,
            kind: .gauge,
            help: "1 if this daemon refreshes the figures, 0 if another does or none can"
        ),
        MetricDescription(
            name: refreshes,
            kind: .counter,
            help: "Refreshes of an app's figures, by outcome; most find nothing new"
        ),
        MetricDescription(
            name: duration,
            kind: .histogram,
            help: "Time to refresh an app's figures, if anything was new",
            buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]
        ),
    ]

    private static let lagSeconds = "tributary_figures_lag_seconds"
    private static let lagEvents = "tributary_figures_lag_events"
    private static let staleSpans = "tributary_figures_stale_periods"
    private static let leader = "tributary_figures_leader"
    private static let refreshes = "tributary_figures_refreshes_total"
    private static let duration = "tributary_figures_refresh_duration_seconds"

    private struct State {
        var statuses: [FigureStatus] = []
        var isLeader = false
    }

    private let state = Mutex(State())
    private let lag: any MeterHandler
    private let events: any MeterHandler
    private let stale: any MeterHandler
    private let leadership: any MeterHandler
    private let refreshed: any CounterHandler
    private let unchanged: any CounterHandler
    private let failures: any CounterHandler
    private let durations: any TimerHandler

    init(factory: any MetricsFactory) {
        lag = factory.makeMeter(label: Self.lagSeconds, dimensions: [])
        events = factory.makeMeter(label: Self.lagEvents, dimensions: [])
        stale = factory.makeMeter(label: Self.staleSpans, dimensions: [])
        leadership = factory.makeMeter(label: Self.leader, dimensions: [])
        func counter(_ outcome: String) -> any CounterHandler {
            let counter = factory.makeCounter(label: Self.refreshes, dimensions: [("outcome", outcome)])
            counter.increment(by: 0)
            return counter
        }
        refreshed = counter("refreshed")
        unchanged = counter("unchanged")
        failures = counter("failed")
        durations = factory.makeTimer(label: Self.duration, dimensions: [])
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
        let (seconds, attoseconds) = time.components
        durations.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func failed() {
        failures.increment(by: 1)
    }

    /// Brings the gauges up to date.
    func refresh() {
        let (statuses, isLeader) = state.withLock { ($0.statuses, $0.isLeader) }
        let now = Timestamp.now.microseconds
        let oldest = statuses.map(\.countedThrough.microseconds).min() ?? now
        lag.set(Double(max(0, now - oldest)) / 1e6)
        events.set(Int64(statuses.reduce(0) { $0 + $1.pendingEvents }))
        stale.set(Int64(statuses.reduce(0) { $0 + $1.staleSpans }))
        leadership.set(Int64(isLeader ? 1 : 0))
    }
}
