import CoreMetrics
import Events

/// The writer's metrics. A group is the events that are committed in one transaction.
package struct StoreMetrics: Sendable {
    /// The labels of the metrics.
    package enum Name {
        /// A timer.
        package static let commitDuration = "tributary_store_commit_duration_seconds"
        /// A histogram.
        package static let commitEvents = "tributary_store_commit_events"
        package static let events = "tributary_store_events_total"
        package static let duplicates = "tributary_store_duplicates_total"
        package static let erased = "tributary_store_erased_total"
        package static let deadLetters = "tributary_store_dead_letters_total"
        /// With the dimension `reason`.
        package static let failures = "tributary_store_failures_total"
    }

    enum Failure: String, CaseIterable {
        case unavailable, failed
    }

    private let commitDuration: any TimerHandler
    private let commitEvents: any RecorderHandler
    private let events: any CounterHandler
    private let duplicates: any CounterHandler
    private let erased: any CounterHandler
    private let deadLetters: any CounterHandler
    private let failures: [Failure: any CounterHandler]

    init(factory: any MetricsFactory) {
        commitDuration = factory.makeTimer(label: Name.commitDuration, dimensions: [])
        commitEvents = factory.makeRecorder(label: Name.commitEvents, dimensions: [], aggregate: true)
        events = factory.makeCounter(label: Name.events, dimensions: [])
        duplicates = factory.makeCounter(label: Name.duplicates, dimensions: [])
        erased = factory.makeCounter(label: Name.erased, dimensions: [])
        deadLetters = factory.makeCounter(label: Name.deadLetters, dimensions: [])
        failures = Dictionary(
            uniqueKeysWithValues: Failure.allCases.map { failure in
                let dimensions = [("reason", failure.rawValue)]
                return (failure, factory.makeCounter(label: Name.failures, dimensions: dimensions))
            }
        )
        // The counters exist from the start, so that a rate over them begins at 0.
        for counter in [events, duplicates, erased, deadLetters] + failures.values { counter.increment(by: 0) }
    }

    func committed(
        _ group: [Submission],
        _ receipts: some Sequence<WriteReceipt>,
        after duration: Duration
    ) {
        let count = group.reduce(0) { $0 + $1.events.count }
        var known = 0
        var dropped = 0
        var refused = 0
        for receipt in receipts {
            known += receipt.duplicates
            dropped += receipt.erased
            refused += receipt.refused.count
        }
        let (seconds, attoseconds) = duration.components
        commitDuration.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        commitEvents.record(Int64(count))
        events.increment(by: Int64(count - known - dropped - refused))
        duplicates.increment(by: Int64(known))
        erased.increment(by: Int64(dropped))
        deadLetters.increment(by: Int64(group.reduce(refused) { $0 + $1.rejections.count }))
    }

    func failed(_ failure: Failure) {
        failures[failure]?.increment(by: 1)
    }
}
