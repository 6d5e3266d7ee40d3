import InboundLinks
import Postgres

extension AppMove {
    /// Lets nothing of the app be stored or changed here, and waits for what is being stored.
    func bar(_ ends: MovingEnds) async throws {
        progress(DeletionProgress("waiting for what is being stored"))
        try await ends.source.run { [number = ends.app.number] connection in
            // Until the session ends, nobody removes links or a person of the app.
            try connection.execute(
                "select pg_advisory_lock(hashtextextended('tributary links', $1))",
                [.int(Int64(number))]
            )
            try connection.execute(
                "update app_departure set barred_at = coalesce(barred_at, clock_timestamp()) where app_number = $1",
                [.int(Int64(number))]
            )
            try StoringTransactions.waitForThose(of: number, on: connection)
            // Figures may take long, and are made again there from where they are.
            let tables = PostgresValue.textArray(
                StoredTable.all.filter { $0.moves == .whole && !$0.name.contains("figures") }.map(\.name)
            )
            try StoringTransactions.waitForThose(on: connection) { connection in
                try connection.query(StoredSQL.selectChangingTransactions, [tables])
            }
            // Nobody waits for rows that come later.
            try StoringTransactions.waitForThoseInDoubt(of: number, on: connection)
        }
    }

    /// Makes later numbers of transactions there greater than all here, unless they are.
    func raiseGeneration(_ ends: MovingEnds) async throws {
        let known = try await ends.source.run {
            try $0.query("select coalesce(max(generation), 0) from transaction_generation")[0].int(0)
        }
        if try await ends.target.run({ try Self.isNewer(than: known, $0) }) { return }
        for attempt in 1... {
            do {
                let isRaised = try await ends.target.run { connection in
                    try connection.transaction {
                        // Whoever stores meanwhile waits for this transaction: not for long.
                        try connection.execute("set local lock_timeout = '2s'")
                        try connection.execute("lock table transaction_generation in share row exclusive mode")
                        if try Self.isNewer(than: known, connection) { return true }
                        // The horizon would pass their numbers.
                        if connection.isDistributed, try !StoringTransactions.inDoubt(of: nil, on: connection).isEmpty {
                            return false
                        }
                        try connection.execute(
                            "select setval(pg_get_serial_sequence('transaction_generation', 'generation'), $1)",
                            [.int(Int64(known))]
                        )
                        try connection.execute(StoredSQL.raiseGeneration)
                        return true
                    }
                }
                if isRaised { return }
            } catch let error as PostgresError where error.isLockTimeout {
                // Somebody stores for longer.
            }
            guard attempt < 60 else { throw AppMoveError.isBusy }
            try await ends.target.run { _ = try $0.query("select pg_sleep(1)") }
        }
    }

    /// Whether the newest generation, which is this server's from now on, is above another.
    private static func isNewer(than known: Int, _ connection: isolated PostgresConnection) throws -> Bool {
        try connection.execute("select current_transaction_number()")
        return try connection.query("select max(generation) from transaction_generation")[0].int(0) > known
    }

    /// Copies all that no round copies, and makes the app known there, in one transaction.
    func switchOver(_ ends: MovingEnds) async throws {
        guard let arrival = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
        try await waitForThoseInDoubt(of: arrival.number, ends.target)
        var values = ["app_number": "\(arrival.number)"]
        for (column, table) in ends.madeNumbers {
            values[column] = "\(column) + \(try await reserve(column, of: table, ends))"
        }
        do {
            // One snapshot: the upkeep of figures goes on.
            try await transaction(ends.source, begin: "begin isolation level repeatable read read only") {
                try await transaction(ends.target) { try await copyRest(arrival.number, values, ends) }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            // Another app was made there meanwhile.
            try await checkPlace(ends)
            throw error
        }
    }

    private func copyRest(_ number: Int32, _ values: [String: String], _ ends: MovingEnds) async throws {
        var tables = StoredTable.all.filter { $0.moves == .first }
        tables += StoredTable.all.filter { $0.moves == .whole }
        for table in tables where !table.name.hasPrefix("link") { try await copy(table, values, ends) }
        try await copyUsers(number, ends)
        let keptFrom = try await ends.source.run { try $0.query("select kept_from from event_key_set")[0].timestamp(0) }
        // Changes of links there wait from here on.
        let revision = try await ends.target.run { connection in
            try connection.execute(StoredSQL.raiseKeptFrom, [.timestamp(microseconds: keptFrom)])
            return try LinkRevision.raise(on: connection).number
        }
        for table in tables where table.name.hasPrefix("link") {
            try await copy(table, values.merging(["revision": "\(revision)"]) { $1 }, ends)
        }
        try await reached(.copiedWhole)
        try await ends.target.run { [id, sourceID = ends.sourceID, sourceNumber = ends.app.number] connection in
            try connection.log(.moveApp, id, in: number, to: [("from_database", .string(sourceID.text))])
            try connection.execute(
                StoredSQL.insertOrigin,
                [.int(Int64(number)), .text(sourceID.text), .int(Int64(sourceNumber))]
            )
            let hasArrived = try connection.execute(
                "update app_arrival set arrived_at = clock_timestamp() where app_number = $1 and undone_at is null",
                [.int(Int64(number))]
            )
            guard hasArrived > 0 else { throw AppMoveError.isRunning }
        }
    }

    private func copy(_ table: StoredTable, _ values: [String: String], _ ends: MovingEnds) async throws {
        progress(DeletionProgress("copying \(table.name)"))
        let query = ends.rows(of: table.name, values, where: "app_number = \(ends.app.number)")
        _ = try await ends.copy(query, into: table.name, ends.names(of: table.name))
    }

    /// Sets numbers of the other database aside for those of a column here, in their order.
    ///
    /// - Returns: what to add to the numbers here.
    private func reserve(_ column: String, of table: String, _ ends: MovingEnds) async throws -> Int64 {
        let app = PostgresValue.int(Int64(ends.app.number))
        let span = try await ends.source.run { connection -> (first: Int64, length: Int64)? in
            let range = "select min(\(column)), max(\(column)) from \(table) where app_number = $1"
            let row = try connection.query(range, [app])[0]
            guard let first = try row.optionalInt64(0), let last = try row.optionalInt64(1) else { return nil }
            return (first, last - first)
        }
        guard let span else { return 0 }
        return try await ends.target.run { connection in
            try connection.transaction {
                // Nobody takes a number between the two statements.
                try connection.execute("lock table \(table) in share row exclusive mode")
                let sequence = "pg_get_serial_sequence('\(table)', '\(column)')"
                let start = try connection.query("select nextval(\(sequence))")[0].int64(0)
                try connection.execute("select setval(\(sequence), $1)", [.int(start + span.length)])
                return start - span.first
            }
        }
    }

    private func copyUsers(_ number: Int32, _ ends: MovingEnds) async throws {
        let app = PostgresValue.int(Int64(ends.app.number))
        let users = try await ends.source.run { connection in
            try connection.query(StoredSQL.selectMovingUsers, [app]).map { row in try (0..<4).map { try row.text($0) } }
        }
        guard !users.isEmpty else { return }
        try await ends.target.run { connection in
            _ = try connection.execute(
                StoredSQL.insertUsers,
                [.int(Int64(number))] + (0..<4).map { column in .textArray(users.map { $0[column] }) }
            )
        }
    }

    func noteEnd(_ ends: MovingEnds) async throws {
        let (app, targetID) = (PostgresValue.int(Int64(ends.app.number)), ends.targetID.text)
        try await ends.source.run { [id, number = ends.app.number] connection in
            try connection.transaction {
                // Daemons read the apps again.
                _ = try LinkRevision.raise(on: connection)
                let count = try connection.execute(
                    "update app_departure set moved_at = clock_timestamp() where app_number = $1 and moved_at is null",
                    [app]
                )
                guard count > 0 else { return }
                try connection.log(.moveApp, id, in: number, to: [("to_database", .string(targetID))])
            }
        }
    }
}
