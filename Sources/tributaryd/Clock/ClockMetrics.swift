import CoreMetrics
import Ingest

/// The metrics of the clock, read for each scrape.
struct ClockMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(
            name: skew,
            kind: .gauge,
            help: "How far the daemon's clock is ahead of the database's; negative if behind, 0 until they are compared"
        ),
        MetricDescription(
            name: trusted,
            kind: .gauge,
            help: "1 if events are dated by the daemon's clock, 0 if they are refused because it may be wrong"
        ),
    ]

    private static let skew = "tributary_clock_skew_seconds"
    private static let trusted = "tributary_clock_trusted"

    private let clock: TrustedClock
    private let skew: any MeterHandler
    private let trusted: any MeterHandler

    init(clock: TrustedClock, factory: any MetricsFactory) {
        self.clock = clock
        skew = factory.makeMeter(label: Self.skew, dimensions: [])
        trusted = factory.makeMeter(label: Self.trusted, dimensions: [])
    }

    func refresh() {
        skew.set(clock.skewSeconds ?? 0)
        trusted.set(Int64(clock.fault == nil ? 1 : 0))
    }
}
