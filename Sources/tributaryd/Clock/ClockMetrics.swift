import Ingest

extension TrustedClock {
    /// The metrics of the clock.
    func metrics() -> [MetricReading] {
        [
            MetricReading(
                "tributary_clock_skew_seconds",
                "How far the daemon's clock is ahead of the database's; negative if behind, 0 until they are compared",
                skewSeconds ?? 0
            ),
            MetricReading(
                "tributary_clock_trusted",
                "1 if events are dated by the daemon's clock, 0 if they are refused because it may be wrong",
                fault == nil ? 1 : 0
            ),
        ]
    }
}
