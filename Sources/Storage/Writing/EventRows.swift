import Events
import Postgres

/// Events as rows of the table `event`, built before the number of the storing transaction is known. A class for the
/// same reason as ``PostgresCopyData``.
final class EventRows {
    private let data: PostgresCopyData
    /// Where each row ends. Its last field is the transaction's number.
    private var ends: [Int] = []

    /// - Parameter capacity: the expected number of events.
    init(capacity: Int) {
        data = PostgresCopyData(capacity: 512 * capacity)
        ends.reserveCapacity(capacity)
    }

    var isEmpty: Bool { ends.isEmpty }

    func append(_ event: Event, app: Int32) {
        EventRow.append(event, app: app, to: data)
        ends.append(data.byteCount)
    }

    /// The rows for COPY, with the transaction's number filled in.
    func data(of transaction: Int64) -> PostgresCopyData {
        for end in ends { data.replace(int64: transaction, endingAt: end) }
        return data
    }
}
