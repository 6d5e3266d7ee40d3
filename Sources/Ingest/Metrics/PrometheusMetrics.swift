package import CoreMetrics
import Synchronization

/// A swift-metrics backend that exposes its metrics in Prometheus' text format 0.0.4.
///
/// If it is given to `MetricsSystem.bootstrap`, the metrics of other modules appear too.
package final class PrometheusMetrics: MetricsFactory, Sendable {
    private struct Family {
        var description: MetricDescription
        /// The series by their labels, as exposed but without braces.
        var series: [String: any MetricCell] = [:]
    }

    private struct State {
        var descriptions: [String: MetricDescription] = [:]
        var families: [String: Family] = [:]
        var readings: [@Sendable () -> [MetricReading]] = []
    }

    private final class Registry: Sendable {
        let state = Mutex(State())
        let process = ProcessMetrics()
    }

    private let registry: Registry
    /// What each metric that is made here has beside its own labels.
    private let labels: [(String, String)]

    package convenience init() { self.init(Registry(), labels: []) }

    private init(_ registry: Registry, labels: [(String, String)]) {
        self.registry = registry
        self.labels = labels
    }

    /// The same metrics, for a part of the program: each that is made by the result has a label more.
    package func labelled(_ name: String, _ value: String) -> PrometheusMetrics {
        PrometheusMetrics(registry, labels: labels + [(name, value)])
    }

    /// Describes metrics. A metric without a description is exposed too, with its name as `HELP`.
    package func describe(_ descriptions: [MetricDescription]) {
        registry.state.withLock { state in
            for description in descriptions { state.descriptions[description.name] = description }
        }
    }

    /// Adds gauges that are read at each exposition. That must be quick, because a request is answered meanwhile.
    package func reading(_ read: @escaping @Sendable () -> [MetricReading]) {
        let labelled: @Sendable () -> [MetricReading] = { [labels] in
            read().map { reading in
                var reading = reading
                reading.labels += labels
                return reading
            }
        }
        registry.state.withLock { $0.readings.append(labels.isEmpty ? read : labelled) }
    }

    /// A counter, exposed from now on, so that a rate over it begins at 0.
    package func counter(_ name: String, _ help: String, _ labels: [(String, String)] = []) -> any CounterHandler {
        describe([MetricDescription(name, .counter, help)])
        return makeCounter(label: name, dimensions: labels)
    }

    func gauge(_ name: String, _ help: String) -> any MeterHandler {
        describe([MetricDescription(name, .gauge, help)])
        return makeMeter(label: name, dimensions: [])
    }

    /// A histogram of times, or of other numbers.
    package func histogram(
        _ name: String,
        _ help: String,
        buckets: [Double] = MetricDescription.secondBuckets,
        _ labels: [(String, String)] = []
    ) -> any TimerHandler & RecorderHandler {
        describe([MetricDescription(name, .histogram, help, buckets: buckets)])
        return cell(name, labels, .histogram) { HistogramCell(bounds: $0.buckets) }
    }

    /// All metrics as text: families sorted by name, series by labels.
    package func exposition() -> String {
        for reading in registry.state.withLock({ $0.readings }).flatMap({ $0() }) {
            describe([reading.description])
            makeMeter(label: reading.description.name, dimensions: reading.labels).set(reading.value)
        }
        let families = registry.state.withLock { $0.families.values.filter { !$0.series.isEmpty } }
        var text = ""
        for family in families.sorted(by: { $0.description.name < $1.description.name }) {
            Self.writeHead(of: family.description, to: &text)
            for (labels, cell) in family.series.sorted(by: { $0.key < $1.key }) {
                cell.write(name: family.description.name, labels: labels, to: &text)
            }
        }
        for (description, value) in registry.process.current() {
            Self.writeHead(of: description, to: &text)
            text += "\(description.name) \(value.exposed)\n"
        }
        return text
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions, .counter) { _ in CounterCell() }
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions, .counter) { _ in FloatingPointCounterCell() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions, .gauge) { _ in GaugeCell() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            cell(label, dimensions, .histogram) { HistogramCell(bounds: $0.buckets) }
        } else {
            cell(label, dimensions, .gauge) { _ in GaugeCell() }
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, .histogram) { HistogramCell(bounds: $0.buckets) }
    }

    // Series live as long as the process: a series that is destroyed and made again would count from 0.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func cell<Cell: MetricCell>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: MetricDescription.Kind,
        make: (MetricDescription) -> Cell
    ) -> Cell {
        let labels = Self.labels(dimensions + labels)
        return registry.state.withLock { state in
            var name = Self.name(label)
            var description =
                state.families[name]?.description ?? state.descriptions[name]
                ?? MetricDescription(name, kind, name)
            if description.kind != kind {
                // A name has one kind. A metric of another kind gets the kind as a suffix.
                name += "_\(kind.rawValue)"
                description = MetricDescription(name, kind, description.help)
            }
            if kind == .histogram, description.buckets.isEmpty {
                description.buckets = MetricDescription.secondBuckets
            }
            let new = make(description)
            let old = state.families[name, default: Family(description: description)].series[labels]
            if let old = old as? Cell { return old }
            // The same name with another kind of cell: only the first one is exposed.
            if old == nil { state.families[name, default: Family(description: description)].series[labels] = new }
            return new
        }
    }

    private static func writeHead(of description: MetricDescription, to text: inout String) {
        text += "# HELP \(description.name) \(escape(description.help, quotes: false))\n"
        text += "# TYPE \(description.name) \(description.kind.rawValue)\n"
    }

    /// Letters, digits, `_` and `:` (the data model of Prometheus).
    private static func name(_ label: String) -> String {
        let name = String(
            label.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    || scalar == ":" ? Character(scalar) : "_"
            }
        )
        return name.first.map { !$0.isNumber } ?? false ? name : "_" + name
    }

    private static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions
            .map { "\(name($0.0))=\"\(escape($0.1, quotes: true))\"" }
            .sorted()
            .joined(separator: ",")
    }

    private static func escape(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
