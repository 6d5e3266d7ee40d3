package import CoreMetrics
import Synchronization

/// The value of one series.
protocol MetricCell: AnyObject, Sendable {
    /// Appends the lines of the series.
    func write(name: String, labels: String, to text: inout String)
}

/// A counter: it only grows, until its process ends.
final class CounterCell: MetricCell, CounterHandler {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        // A counter that goes down would look like a restart.
        value.wrappingAdd(max(0, amount), ordering: .relaxed)
    }

    func reset() {
        value.store(0, ordering: .relaxed)
    }

    func write(name: String, labels: String, to text: inout String) {
        text += "\(name)\(labels.braced) \(value.load(ordering: .relaxed))\n"
    }
}

final class FloatingPointCounterCell: MetricCell, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        value.withLock { $0 += amount }
    }

    func reset() {
        value.withLock { $0 = 0 }
    }

    func write(name: String, labels: String, to text: inout String) {
        text += "\(name)\(labels.braced) \(value.withLock { $0 }.exposed)\n"
    }
}

/// A gauge: it goes up and down. It is also a recorder that does not aggregate, and shows its last value.
final class GaugeCell: MetricCell, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ newValue: Int64) {
        value.withLock { $0 = Double(newValue) }
    }

    func set(_ newValue: Double) {
        value.withLock { $0 = newValue }
    }

    func increment(by amount: Double) {
        value.withLock { $0 += amount }
    }

    func decrement(by amount: Double) {
        value.withLock { $0 -= amount }
    }

    func record(_ newValue: Int64) {
        set(newValue)
    }

    func record(_ newValue: Double) {
        set(newValue)
    }

    func write(name: String, labels: String, to text: inout String) {
        text += "\(name)\(labels.braced) \(value.withLock { $0 }.exposed)\n"
    }
}

/// A histogram: it counts values in fixed buckets. It is also a timer, which records nanoseconds and exposes seconds.
final class HistogramCell: MetricCell, RecorderHandler, TimerHandler {
    private struct State {
        /// The count of each bucket, not cumulative. The last bucket, after the bounds, is the infinite one.
        var counts: [Int64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1e9)
    }

    func write(name: String, labels: String, to text: inout String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let prefix = labels.isEmpty ? "" : labels + ","
        var total: Int64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? bounds[index].exposed : "+Inf"
            text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(total)\n"
        }
        text += "\(name)_sum\(labels.braced) \(sum.exposed)\n"
        text += "\(name)_count\(labels.braced) \(total)\n"
    }
}

extension String {
    fileprivate var braced: String {
        isEmpty ? "" : "{\(self)}"
    }
}

extension Double {
    /// The number as the exposition spells it: whole numbers without `.0`.
    var exposed: String {
        if isNaN { return "NaN" }
        if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: self) { return String(whole) }
        return "\(self)"
    }
}

extension TimerHandler {
    package func record(_ duration: Duration) {
        recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
