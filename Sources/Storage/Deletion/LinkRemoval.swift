import Postgres

/// What follows a removal of links: links that events give again are restored.
///
/// A transaction that stores events during a removal still sees the old links, and adds none. So after the removal is
/// committed, the links of those events are inserted. The removing transaction notes this in `link_removal`. If the
/// program is killed before the links are restored, the next program that removes links restores them.
enum LinkRemoval {
    /// Runs `body` under the app's lock on links. Programs that remove, restore or check links take it, and so does the
    /// end of a move; this call waits for them, and says so.
    static func alone<Result>(
        in app: Int32,
        on connection: isolated PostgresConnection,
        progress: DeletionProgress.Handler = { _ in },
        _ body: () throws -> Result
    ) throws -> Result {
        if let result = try connection.withAdvisoryLockIfFree("tributary links", of: app, body) { return result }
        let moves = try AppDeparture.isMoving(app, on: connection)
        progress(DeletionProgress("waiting for \(moves ? "the move of the app" : "another removal of data")"))
        return try connection.withAdvisoryLock("tributary links", of: app) {
            progress(DeletionProgress("reading links"))
            return try body()
        }
    }

    /// Notes a removal. Call it in the transaction that removes links, before it reads events.
    ///
    /// - Parameter horizon: the first transaction whose events the caller has not read; nil if the caller reads the
    ///   events of all transactions that have ended by now.
    /// - Returns: the number of the removal.
    static func note(
        in app: Int32,
        storedFrom horizon: Int64? = nil,
        on connection: isolated PostgresConnection
    ) throws -> Int64 {
        let from: PostgresValue = horizon.map { .int($0) } ?? .null
        return try connection.query(StoredSQL.insertLinkRemoval, [.int(Int64(app)), from])[0].int64(0)
    }

    /// Restores links and forgets the removals. Call it when the removals are committed.
    ///
    /// - Parameters:
    ///   - devices: the devices whose links were removed; nil: any.
    ///   - clicks: the clicks whose links were removed; nil: any.
    static func finish(
        _ removals: [Int64],
        in app: Int32,
        devices: [String]? = nil,
        clicks: [String]? = nil,
        on connection: isolated PostgresConnection
    ) throws {
        guard !removals.isEmpty else { return }
        try StoringTransactions.waitForThose(of: app, on: connection)
        let noted: [PostgresValue] = [.int(Int64(app)), .intArray(removals)]
        try StoringTransactions.retrying {
            try connection.transaction {
                let horizon = try connection.query(
                    """
                    select min(stored_from)
                    from link_removal
                    where app_number = $1 and transaction_number = any ($2::bigint[])
                    """,
                    noted
                )[0].optionalInt64(0)
                // Another program has finished them.
                guard let horizon else { return }
                try restore(in: app, storedFrom: horizon, devices: devices, clicks: clicks, on: connection)
                try connection.execute(
                    "delete from link_removal where app_number = $1 and transaction_number = any ($2::bigint[])",
                    noted
                )
            }
        }
    }

    /// Inserts or corrects the links that differ from what events give. Call it in a transaction.
    ///
    /// - Parameters:
    ///   - horizon: only events of transactions from this one on count.
    ///   - devices: only the links of these devices; nil: of any.
    ///   - clicks: only the links of these clicks; nil: of any.
    static func restore(
        in app: Int32,
        storedFrom horizon: Int64,
        devices: [String]? = nil,
        clicks: [String]? = nil,
        on connection: isolated PostgresConnection
    ) throws {
        let number = try connection.query("select current_transaction_number()")[0].int64(0)
        try connection.execute(
            StoredSQL.relinkPeople,
            [
                .int(Int64(app)), .int(horizon), devices.map { .textArray($0) } ?? .null,
                clicks.map { .textArray($0) } ?? .null, .int(number),
            ]
        )
    }

    /// Finishes the removals of programs that were killed.
    ///
    /// - Parameter app: nil: of every app.
    static func finishAll(in app: Int32?, on connection: isolated PostgresConnection) throws {
        let number: PostgresValue = app.map { .int(Int64($0)) } ?? .null
        let left = try connection.query(StoredSQL.selectLinkRemovals, [number]).map { row in
            (app: Int32(try row.int(0)), removals: try row.intArray(1))
        }
        for (app, removals) in left {
            try alone(in: app, on: connection) { try finish(removals, in: app, on: connection) }
        }
    }
}
