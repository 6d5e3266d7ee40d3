import Ingest
import Redirects

extension LinkDirectory {
    /// The metrics of the links in memory.
    func metrics() -> [MetricReading] {
        let table = table
        return [
            MetricReading("tributary_links", "Short links in memory, those of all apps", table.count),
            MetricReading("tributary_links_bytes", "Bytes that the short links take in memory", table.byteCount),
        ]
    }
}
