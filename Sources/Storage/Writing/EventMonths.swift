import Postgres
import Synchronization

/// Makes the tables of months, and knows which there are.
final class EventMonths: Sendable {
    private let pool: PostgresPool
    private let lanes: WriterLanes
    private let pause: Duration
    /// The months that are known to have a table, as `Timestamp.month`.
    private let known = Mutex<Set<Int>>([])
    /// When a month may be made though a worker does not respond.
    private let nextTry = Mutex(ContinuousClock.now)

    /// - Parameter pause: the time between tries while a worker of a cluster does not respond.
    init(pool: PostgresPool, lanes: WriterLanes, pause: Duration) {
        self.pool = pool
        self.lanes = lanes
        self.pause = pause
    }

    /// Call it if a table is missing after all: retention may have dropped it.
    func forget() {
        known.withLock { $0.removeAll() }
    }

    /// Makes the tables that are missing.
    ///
    /// - Parameter months: as `Timestamp.month`.
    /// - Throws: ``EventWriterError/partlyUnavailable(_:)`` if a month cannot be made, because all workers of a cluster
    ///   must take part. Events of other months can be stored. `PostgresError`.
    func make(_ months: Set<Int>) async throws {
        let missing = months.subtracting(known.withLock { $0 })
        guard !missing.isEmpty else { return }
        try await pool.withConnection { connection in
            if connection.isDistributed {
                try self.makeOnCluster(missing, connection)
            } else {
                for month in missing.sorted() { try Self.make(month, on: connection) }
            }
        }
        known.withLock { $0.formUnion(missing) }
    }

    private func makeOnCluster(_ months: Set<Int>, _ connection: isolated PostgresConnection) throws {
        do {
            for month in months.sorted() where try !Self.exists(month, on: connection) {
                guard mayTry() else { throw EventWriterError.partlyUnavailable(nil) }
                try Self.make(month, on: connection)
            }
        } catch let error as PostgresError where error.isOfAWorker || error.isOfAMove || error.isStatementTimeout {
            throw EventWriterError.partlyUnavailable(error)
        }
        // No month can be made while a part of a cluster is being moved, so the next one is made long before.
        if lanes.allRespond, let last = months.max() { try? Self.make(last + 1, on: connection) }
    }

    /// A lane stores nothing else while it waits for all workers to make a month. So while a worker does not respond,
    /// this is tried only now and then.
    private func mayTry() -> Bool {
        if lanes.allRespond { return true }
        return nextTry.withLock { next in
            guard next <= .now else { return false }
            next = .now.advanced(by: pause)
            return true
        }
    }

    private static func exists(_ month: Int, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            "select to_regclass('event_' || to_char(make_date($1, $2, 1), 'YYYY_MM')) is not null",
            date(of: month)
        )[0].bool(0)
    }

    private static func make(_ month: Int, on connection: isolated PostgresConnection) throws {
        try connection.execute("select ensure_event_partition(make_date($1, $2, 1))", date(of: month))
    }

    /// The year and the month.
    private static func date(of month: Int) -> [PostgresValue] {
        [.int(Int64(month / 12)), .int(Int64(month % 12 + 1))]
    }
}
