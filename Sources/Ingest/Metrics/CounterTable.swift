import CoreMetrics
import Synchronization

/// The counters of one name, by their labels.
final class CounterTable<Key: Hashable & Sendable>: Sendable {
    private let factory: any MetricsFactory
    private let name: String
    private let labels: @Sendable (Key) -> [(String, String)]
    private let counters = Mutex<[Key: any CounterHandler]>([:])

    init(_ factory: any MetricsFactory, _ name: String, labels: @escaping @Sendable (Key) -> [(String, String)]) {
        self.factory = factory
        self.name = name
        self.labels = labels
    }

    func increment(_ key: Key, by count: Int) {
        let counter = counters.withLock { counters in
            if let counter = counters[key] { return counter }
            let counter = factory.makeCounter(label: name, dimensions: labels(key))
            counters[key] = counter
            return counter
        }
        counter.increment(by: Int64(count))
    }
}
