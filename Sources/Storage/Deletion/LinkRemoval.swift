import Postgres

/// The end of a removal of links. Whoever was storing at the time has seen the links still there, and added none: what those
/// events say is said once more. Noted by the transaction that removes (`link_removal`), so that what a program leaves that
/// is killed in between is done by the next one that removes anything.
enum LinkRemoval {
    /// Keeps all others of an app away who remove links, say them anew or look at them to do so: it waits for them.
    static func alone<Result>(
        in app: Int32,
        on connection: isolated PostgresConnection,
        _ body: () throws -> Result
    ) throws -> Result {
        let key = "hashtextextended('tributary links', $1)"
        try connection.execute("select pg_advisory_lock(\(key))", [.int(Int64(app))])
        defer { _ = try? connection.execute("select pg_advisory_unlock(\(key))", [.int(Int64(app))]) }
        return try body()
    }

    /// To be called in the transaction that removes links, before it looks at what events say.
    ///
    /// - Parameter horizon: the transaction from which on nobody has looked at events; nil: all that have ended until now
    ///   are looked at.
    /// - Returns: the number of the removal.
    static func note(
        in app: Int32,
        storedFrom horizon: Int64? = nil,
        on connection: isolated PostgresConnection
    ) throws -> Int64 {
        let from: PostgresValue = horizon.map { .int($0) } ?? .null
        return try connection.query(StoredSQL.insertLinkRemoval, [.int(Int64(app)), from])[0].int64(0)
    }

    /// To be called when the removals are committed.
    ///
    /// - Parameters:
    ///   - devices: which links were removed; nil: any.
    ///   - clicks: likewise.
    static func finish(
        _ removals: [Int64],
        in app: Int32,
        devices: [String]? = nil,
        clicks: [String]? = nil,
        on connection: isolated PostgresConnection
    ) throws {
        guard !removals.isEmpty else { return }
        try StoringTransactions.waitForThose(on: connection)
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
                // Somebody else has.
                guard let horizon else { return }
                try sayAnew(in: app, storedFrom: horizon, devices: devices, clicks: clicks, on: connection)
                try connection.execute(
                    "delete from link_removal where app_number = $1 and transaction_number = any ($2::bigint[])",
                    noted
                )
            }
        }
    }

    /// Says once more whom devices and clicks stand for, where events say otherwise than the links.
    ///
    /// - Parameters:
    ///   - horizon: by the events of transactions from this one on.
    ///   - devices: only of these; nil: of any.
    ///   - clicks: likewise.
    static func sayAnew(
        in app: Int32,
        storedFrom horizon: Int64,
        devices: [String]? = nil,
        clicks: [String]? = nil,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            StoredSQL.relinkPeople,
            [
                .int(Int64(app)), .int(horizon), devices.map { .textArray($0) } ?? .null,
                clicks.map { .textArray($0) } ?? .null,
            ]
        )
    }

    /// Finishes those of programs that were killed.
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
