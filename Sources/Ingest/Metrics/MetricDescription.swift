/// The description of a metric, for the exposition's `HELP` and `TYPE` lines.
package struct MetricDescription: Sendable {
    /// A metric's type in Prometheus' words.
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// As exposed, with its unit: `tributary_request_duration_seconds`.
    package var name: String
    package var kind: Kind
    /// A sentence without a full stop.
    package var help: String
    /// Upper bounds of a histogram's buckets, ascending, without the infinite one.
    package var buckets: [Double]

    package init(_ name: String, _ kind: Kind, _ help: String, buckets: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.buckets = buckets
    }

    /// From half a millisecond to the longest deadline.
    package static let secondBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

/// What a gauge says at the moment.
package struct MetricReading: Sendable {
    var description: MetricDescription
    var value: Double
    var labels: [(String, String)]

    package init(_ name: String, _ help: String, _ value: Double, _ labels: [(String, String)] = []) {
        description = MetricDescription(name, .gauge, help)
        self.value = value
        self.labels = labels
    }

    package init(_ name: String, _ help: String, _ value: Int, _ labels: [(String, String)] = []) {
        self.init(name, help, Double(value), labels)
    }
}
