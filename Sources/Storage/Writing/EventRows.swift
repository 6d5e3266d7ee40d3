import Events
import Postgres

/// Events as rows of the table `event`, made before it is known which transaction stores them. A class, as the data is
/// (``PostgresCopyData``).
final class EventRows {
    private let data: PostgresCopyData
    /// Where each row ends; its last field is the number of the transaction.
    private var ends: [Int] = []

    /// - Parameter capacity: about how many events there will be.
    init(capacity: Int) {
        data = PostgresCopyData(capacity: 512 * capacity)
        ends.reserveCapacity(capacity)
    }

    var isEmpty: Bool { ends.isEmpty }

    func append(_ event: Event, app: Int32) {
        EventRow.append(event, app: app, to: data)
        ends.append(data.byteCount)
    }

    /// The rows for COPY.
    func data(of transaction: Int64) -> PostgresCopyData {
        for end in ends { data.replace(int64: transaction, endingAt: end) }
        return data
    }
}
