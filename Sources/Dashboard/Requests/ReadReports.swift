import Reporting
import Synchronization

/// What a page has read of its reports together, before it asks for them one by one.
final class ReadReports: Sendable {
    private let results = Mutex<[String: ReportResult]>([:])

    subscript(address: ReportAddress) -> ReportResult? {
        get { results.withLock { $0[address.csv] } }
        set { results.withLock { $0[address.csv] = newValue } }
    }
}
