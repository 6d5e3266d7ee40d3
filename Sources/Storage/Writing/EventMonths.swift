import Postgres
import Synchronization

/// Makes the tables of months, and knows which there are.
final class EventMonths: Sendable {
    /// The time from a try that failed on a cluster to the next. All workers take part, and if one hangs, a transaction
    /// of another one's lane waits for it.
    private static let pause: Duration = .seconds(60)

    private let pool: PostgresPool
    /// The months that are known to have a table, as `Timestamp.month`.
    private let known = Mutex<Set<Int>>([])
    private let nextTry = Mutex(ContinuousClock.now)

    init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Call it if a table is missing after all: retention may have dropped it.
    func forget() {
        known.withLock { $0.removeAll() }
    }

    /// Makes the tables that are missing. On a cluster, also that of the month after the last, because none can be made
    /// while a part of a table is being moved or a worker is away.
    ///
    /// - Parameter months: as `Timestamp.month`.
    /// - Throws: on a cluster, ``EventWriterError/partlyUnavailable(_:)`` if a month cannot be made now.
    ///   `PostgresError`.
    func make(_ months: Set<Int>, onCluster isCluster: Bool) async throws {
        let missing = months.subtracting(known.withLock { $0 }).sorted()
        guard isCluster else {
            if missing.isEmpty { return }
            try await pool.withConnection { connection in
                for month in missing { try Self.make(month, on: connection) }
            }
            return known.withLock { $0.formUnion(missing) }
        }
        var failure: EventWriterError?
        for month in missing {
            do {
                try await makeOnCluster(month)
            } catch let error as EventWriterError {
                failure = error
            }
        }
        if let failure { throw failure }
        if let last = months.max(), known.withLock({ !$0.contains(last + 1) }), mayTry {
            try? await makeOnCluster(last + 1)
        }
    }

    /// Whether all months are known to have a table.
    func have(_ months: Set<Int>) -> Bool { known.withLock { $0.isSuperset(of: months) } }

    private var mayTry: Bool { nextTry.withLock { $0 <= .now } }

    private func makeOnCluster(_ month: Int) async throws {
        let mayTry = mayTry
        do {
            try await pool.withConnection { connection in
                let exists = try connection.query(StoredSQL.hasEventPartition, Self.date(of: month))[0].bool(0)
                if exists { return }
                guard mayTry else { throw EventWriterError.partlyUnavailable(nil) }
                try Self.makeOnWorkers(month, on: connection)
            }
            known.withLock { _ = $0.insert(month) }
        } catch let error as PostgresError
            where error.isOfAWorker || error.isOfAMove || error.isStatementTimeout || error.kind == .connectionLost
        {
            nextTry.withLock { $0 = .now.advanced(by: Self.pause) }
            throw EventWriterError.partlyUnavailable(error)
        }
    }

    /// Makes a month's table. If workers have one of which the coordinator does not know, because it was promoted
    /// without its last commits, its events are taken up.
    private static func makeOnWorkers(_ month: Int, on connection: isolated PostgresConnection) throws {
        do {
            try make(month, on: connection)
        } catch let error as PostgresError where Self.ofKnownTables.contains(error.sqlState) {
            try connection.execute("select set_months_aside()")
            try make(month, on: connection)
        }
        // Also those of a program that was killed before this.
        try connection.execute("select take_up_lost_events()")
    }

    /// What workers say of a table that they have already, or of a part whose number they know.
    private static let ofKnownTables: [String?] = ["42P07", "23505"]

    private static func make(_ month: Int, on connection: isolated PostgresConnection) throws {
        try connection.execute("select ensure_event_partition(make_date($1, $2, 1))", date(of: month))
    }

    /// The year and the month.
    private static func date(of month: Int) -> [PostgresValue] {
        [.int(Int64(month / 12)), .int(Int64(month % 12 + 1))]
    }
}
