import CoreMetrics
import Ingest
import Redirects

/// The metrics of the links in memory, read for each scrape.
struct LinkMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        MetricDescription(name: count, kind: .gauge, help: "Short links in memory, those of all apps"),
        MetricDescription(name: bytes, kind: .gauge, help: "Bytes that the short links take in memory"),
    ]

    private static let count = "tributary_links"
    private static let bytes = "tributary_links_bytes"

    private let directory: LinkDirectory
    private let count: any MeterHandler
    private let bytes: any MeterHandler

    init(directory: LinkDirectory, factory: any MetricsFactory) {
        self.directory = directory
        count = factory.makeMeter(label: Self.count, dimensions: [])
        bytes = factory.makeMeter(label: Self.bytes, dimensions: [])
    }

    func refresh() {
        let table = directory.table
        count.set(Int64(table.count))
        bytes.set(Int64(table.byteCount))
    }
}
