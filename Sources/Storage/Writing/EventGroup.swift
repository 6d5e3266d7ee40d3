import Events
import Time
import Postgres

/// Submissions that are committed in one transaction.
struct EventGroup: Sendable {
    let submissions: [Submission]
    /// The events that go to the database, in order of arrival.
    private let rows: [EventInsert.Row]
    private let receipts: [EventWriter.Receipt]
    /// The months of the events, as year × 12 + (month − 1), UTC.
    let months: Set<Int>

    init(_ submissions: [Submission]) {
        struct Key: Hashable {
            var app: Int32
            var id: EventID
        }
        var rows: [EventInsert.Row] = []
        var receipts: [EventWriter.Receipt] = []
        var months: Set<Int> = []
        let count = submissions.reduce(0) { $0 + $1.events.count }
        var seen = Set<Key>(minimumCapacity: count)
        rows.reserveCapacity(count)
        var latestMonth: Int?
        for (number, submission) in submissions.enumerated() {
            var receipt = EventWriter.Receipt()
            // By index, here and in `EventInsert`: copying an `Event` out of the array retains each of its texts.
            for index in submission.events.indices {
                // If an id comes twice, the first in order of arrival wins. The database compares it with what is
                // stored.
                if seen.insert(Key(app: submission.appNumber, id: submission.events[index].id)).inserted {
                    rows.append(EventInsert.Row(submission: number, index: index))
                    let month = submission.events[index].occurredAt.month
                    if month != latestMonth { months.insert(month) }
                    latestMonth = month
                } else {
                    receipt.duplicates += 1
                }
            }
            receipts.append(receipt)
        }
        self.submissions = submissions
        self.rows = rows
        self.receipts = receipts
        self.months = months
    }

    /// Stores the group in one transaction: each event at most once, with the rejections and checkpoints.
    ///
    /// If PostgreSQL itself refuses an event, the group is bisected until that event is found. It becomes a dead
    /// letter, and the others are stored in transactions of their own. On the last try, an event without a partition is
    /// treated alike: retention is removing its month, nobody knows for how long, and other events must not wait for
    /// that.
    ///
    /// - Parameter isLastTry: whether the caller will not make the partitions and try again.
    func store(on connection: isolated PostgresConnection, isLastTry: Bool) throws -> [EventWriter.Receipt] {
        do {
            let (stored, storing) = try connection.transaction(opening: EventInsert.opening) {
                var receipts = receipts
                let storing = try store(rows.indices, counting: &receipts, on: connection)
                try keepRejections(refused: receipts, on: connection)
                try recordCheckpoints(on: connection)
                return (receipts, storing)
            }
            storing?.remember(on: connection)
            return stored
        } catch is EventInsert.OptimisticInsertFailed {
            connection.memory { OptimisticInserts() }.failed()
            return try store(on: connection, isLastTry: isLastTry)
        } catch let error as PostgresError where error.blamesAnEvent(onLastTry: isLastTry) && !rows.isEmpty {
            return try storeBisected(on: connection, isLastTry: isLastTry)
        }
    }

    private func storeBisected(
        on connection: isolated PostgresConnection,
        isLastTry: Bool
    ) throws -> [EventWriter.Receipt] {
        var receipts = receipts
        var pending: [Range<Int>] = [rows.indices]
        while let range = pending.popLast() {
            do {
                try connection.transaction(opening: EventInsert.opening) {
                    try store(range, counting: &receipts, on: connection)
                }
            } catch is EventInsert.OptimisticInsertFailed {
                connection.memory { OptimisticInserts() }.failed()
                pending.append(range)
            } catch let error as PostgresError where error.blamesAnEvent(onLastTry: isLastTry) {
                if range.count > 1 {
                    let middle = range.lowerBound + range.count / 2
                    pending.append(middle..<range.upperBound)
                    pending.append(range.lowerBound..<middle)
                } else {
                    let row = rows[range.lowerBound]
                    receipts[row.submission].refused.append(row.index)
                }
            }
        }
        try connection.transaction {
            try keepRejections(refused: receipts, on: connection)
            try recordCheckpoints(on: connection)
        }
        return receipts
    }

    @discardableResult
    private func store(
        _ range: Range<Int>,
        counting receipts: inout [EventWriter.Receipt],
        on connection: isolated PostgresConnection
    ) throws -> EventInsert? {
        guard !range.isEmpty else { return nil }
        var storing = EventInsert(rows[range], of: submissions)
        try storing.store(on: connection)
        for (row, outcome) in zip(range, storing.outcomes) {
            switch outcome {
            case .stored: break
            case .duplicate: receipts[rows[row].submission].duplicates += 1
            case .erased: receipts[rows[row].submission].erased += 1
            }
        }
        return storing
    }

    private func keepRejections(
        refused receipts: [EventWriter.Receipt],
        on connection: isolated PostgresConnection
    ) throws {
        for (submission, receipt) in zip(submissions, receipts) {
            try DeadLetterWriter.keep(submission, refused: receipt.refused, on: connection)
        }
    }

    private func recordCheckpoints(on connection: isolated PostgresConnection) throws {
        for submission in submissions {
            guard let checkpoint = submission.checkpoint else { continue }
            try ImportCheckpointStore.record(checkpoint, app: submission.appNumber, on: connection)
        }
    }
}

extension PostgresError {
    /// Whether the values of an event caused the error, and not the database or this program: data exceptions (class
    /// 22), size limits (class 54), text that cannot be stored. On the last try a missing partition counts too.
    fileprivate func blamesAnEvent(onLastTry isLastTry: Bool) -> Bool {
        kind == .invalidValue || sqlState?.hasPrefix("22") ?? false || sqlState?.hasPrefix("54") ?? false
            || isLastTry && lacksPartition
    }

    /// No partition accepts the row (23514, `check_violation`).
    var lacksPartition: Bool { sqlState == "23514" }
}

extension Timestamp {
    /// The month in UTC, as year × 12 + (month − 1).
    var month: Int {
        let (year, month, _) = date.components
        return year * 12 + month - 1
    }
}
