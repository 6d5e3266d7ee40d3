import Events
import Time
import Postgres

/// Submissions that are committed in one transaction.
struct EventGroup: Sendable {
    let submissions: [Submission]
    /// The events that go to the database, in order of arrival.
    private let rows: [EventInsert.Row]
    private let receipts: [WriteReceipt]
    /// The months of the events, as year × 12 + (month − 1), UTC.
    let months: Set<Int>

    init(_ submissions: [Submission]) {
        struct Key: Hashable {
            var app: Int32
            var id: EventID
        }
        var rows: [EventInsert.Row] = []
        var receipts: [WriteReceipt] = []
        var months: Set<Int> = []
        let count = submissions.reduce(0) { $0 + $1.events.count }
        var seen = Set<Key>(minimumCapacity: count)
        rows.reserveCapacity(count)
        var latestMonth: Int?
        for (number, submission) in submissions.enumerated() {
            var receipt = WriteReceipt()
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
    /// treated in the same way: retention is removing its month, nobody knows for how long, and other events must not
    /// wait for that. Some errors do not show whether an event or the database is at fault: then the group is bisected
    /// only if the database takes another event of it.
    ///
    /// - Parameter isLastTry: whether the caller will not make the partitions and try again.
    func store(on connection: isolated PostgresConnection, isLastTry: Bool) throws -> [WriteReceipt] {
        do {
            let (stored, storing) = try connection.transaction(opening: EventInsert.opening) {
                try mark(on: connection)
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
        } catch let error as PostgresError where error.blamesAnEvent(onLastTry: isLastTry) {
            return try storeBisected(on: connection) { $0.blamesAnEvent(onLastTry: isLastTry) }
        } catch let error as PostgresError where error.mayBlameAnEvent {
            guard try takesAnEvent(on: connection) else { throw error }
            return try storeBisected(on: connection) { $0.blamesAnEvent(onLastTry: isLastTry) || $0.mayBlameAnEvent }
        }
    }

    /// How many events, spread over the group, show whether the database takes any.
    private static let probes = 8

    /// Whether the database would store an event of the group. None is stored.
    private func takesAnEvent(on connection: isolated PostgresConnection) throws -> Bool {
        struct Taken: Error {}
        // An event that was stored before shows nothing, so duplicates are told apart.
        connection.memory { OptimisticInserts() }.failed()
        for row in stride(from: 0, to: rows.count, by: max(1, rows.count / Self.probes)) {
            do {
                try connection.transaction(opening: EventInsert.opening) {
                    try mark(on: connection)
                    var unused = receipts
                    let storing = try store(row..<row + 1, counting: &unused, on: connection)
                    if case .stored? = storing?.outcomes.first { throw Taken() }
                }
            } catch is Taken {
                return true
            } catch let error as PostgresError where error.blamesAnEvent(onLastTry: true) || error.mayBlameAnEvent {
                continue
            }
        }
        return false
    }

    /// - Parameter blamesAnEvent: whether an error is the fault of an event.
    private func storeBisected(
        on connection: isolated PostgresConnection,
        blamesAnEvent: (PostgresError) -> Bool
    ) throws -> [WriteReceipt] {
        var receipts = receipts
        var pending: [Range<Int>] = [rows.indices]
        while let range = pending.popLast() {
            do {
                try connection.transaction(opening: EventInsert.opening) {
                    try mark(on: connection)
                    try store(range, counting: &receipts, on: connection)
                }
            } catch is EventInsert.OptimisticInsertFailed {
                connection.memory { OptimisticInserts() }.failed()
                pending.append(range)
            } catch let error as PostgresError where blamesAnEvent(error) {
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
        for (submission, receipt) in zip(submissions, receipts) {
            try DeadLetterWriter.keepSingly(submission, refused: receipt.refused, on: connection) {
                $0.blamesAnEvent(onLastTry: true)
            }
        }
        try connection.transaction { try recordCheckpoints(on: connection) }
        return receipts
    }

    private func mark(on connection: isolated PostgresConnection) throws(PostgresError) {
        try StoringTransactions.mark(Set(submissions.lazy.map(\.appNumber)), on: connection)
    }

    @discardableResult
    private func store(
        _ range: Range<Int>,
        counting receipts: inout [WriteReceipt],
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
        refused receipts: [WriteReceipt],
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
    /// The classes of SQLSTATEs that say that the values of a row are at fault, or that a function or trigger refused
    /// it: data exceptions (22), constraints (23, 44), size limits (54), what functions raise (P0), and failures inside
    /// functions and triggers (09, 21, 27, 2F, 38, 39).
    private static let classesOfRows: Set<Substring> = [
        "09", "21", "22", "23", "27", "2F", "38", "39", "44", "54", "P0",
    ]

    /// Whether the values of an event caused the error, and not the database or this program: the database would refuse
    /// the event again. On the last try a missing partition counts too.
    fileprivate func blamesAnEvent(onLastTry isLastTry: Bool) -> Bool {
        if kind == .invalidValue { return true }
        guard kind == .server, !isUnavailable, let sqlState else { return false }
        return Self.classesOfRows.contains(sqlState.prefix(2)) && (isLastTry || !lacksPartition)
    }

    /// Whether either an event or the database may be at fault: a permission that is missing for all rows or refused
    /// for one, a damaged index that only some rows need.
    fileprivate var mayBlameAnEvent: Bool {
        kind == .server && !isUnavailable && !isRetryable && !isCancelled && !isStatementTimeout && !isRelayed
            && !isOfAWorker && !lacksPartition
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
