import CoreMetrics
import Synchronization

/// The counters of one name, by their labels.
final class CounterTable<Key: Hashable & Sendable>: Sendable {
    private let make: @Sendable (Key) -> any CounterHandler
    private let counters = Mutex<[Key: any CounterHandler]>([:])

    init(
        _ metrics: PrometheusMetrics,
        _ name: String,
        _ help: String,
        labels: @escaping @Sendable (Key) -> [(String, String)]
    ) {
        make = { metrics.counter(name, help, labels($0)) }
    }

    func increment(_ key: Key, by count: Int) {
        let counter = counters.withLock { counters in
            if let counter = counters[key] { return counter }
            let counter = make(key)
            counters[key] = counter
            return counter
        }
        counter.increment(by: Int64(count))
    }
}
