import CoreMetrics
import Synchronization

/// A metrics backend that stores the counts by label and values of the dimensions.
final class CountingFactory: MetricsFactory {
    private final class Cell: CounterHandler, RecorderHandler, TimerHandler {
        let factory: CountingFactory
        let name: String

        init(_ factory: CountingFactory, _ name: String) {
            self.factory = factory
            self.name = name
        }

        func increment(by amount: Int64) { factory.add(name, amount) }
        func reset() {}
        func record(_ value: Int64) { factory.add(name, value) }
        func record(_ value: Double) { factory.add(name, Int64(value)) }
        func recordNanoseconds(_ duration: Int64) { factory.add(name, 1) }
    }

    private let sums = Mutex<[String: Int64]>([:])

    subscript(name: String) -> Int64? { sums.withLock { $0[name] } }

    private func add(_ name: String, _ amount: Int64) {
        sums.withLock { $0[name, default: 0] += amount }
    }

    private func cell(_ label: String, _ dimensions: [(String, String)]) -> Cell {
        Cell(self, ([label] + dimensions.map(\.1)).joined(separator: " "))
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { cell(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { cell(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        cell(label, dimensions)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
