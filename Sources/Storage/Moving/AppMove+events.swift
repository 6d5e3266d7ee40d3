import Postgres
import Time

extension AppMove {
    /// Copies the events and links that no round has copied.
    ///
    /// - Parameter isLast: whether nothing is stored any more: then all are.
    func copyRound(_ ends: MovingEnds, isLast: Bool) async throws {
        let horizon = try await ends.source.run { [number = ends.app.number] in
            try TransactionHorizon.read(of: number, on: $0)
        }
        try await copyEvents(ends, through: isLast ? .max : horizon, isLast: isLast)
        try await copyLinks(ends, through: horizon)
    }

    private func copyEvents(_ ends: MovingEnds, through horizon: Int64, isLast: Bool) async throws {
        guard var state = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
        let number = ends.app.number
        if state.roundThrough == nil || isLast {
            // Events that wait for the end of others' transactions are stored already at the last round.
            if state.roundThrough == nil { state.position = nil }
            // A round that was to be the last may have copied more.
            state.roundThrough = max(horizon, state.copiedThrough)
            try await note(state, ends)
        }
        try await makeMonths(ends)
        let (isFirst, isDistributed) = (state.copiedThrough == 0, await ends.source.isDistributed)
        let total = isFirst ? try await Self.count(number, ends.source) : 0
        var copied = 0
        while let through = state.roundThrough {
            progress(DeletionProgress("copying events", done: copied, total: total))
            var condition = "transaction_number >= \(state.copiedThrough) and transaction_number < \(through)"
            // By time, as the index has it, or by transaction. Citus finds the app's worker by the first of the two.
            let boundary = isFirst ? try await boundary(after: state.position, ends) : nil
            if isFirst || isDistributed { condition += " and event.app_number = \(number)" }
            if !isFirst { condition += " and event.app_number + 0 = \(number)" }
            if let position = state.position { condition += " and occurred_at >= \(Self.literal(position))" }
            if let boundary { condition += " and occurred_at < \(Self.literal(boundary))" }
            state.position = boundary
            if boundary == nil { (state.copiedThrough, state.roundThrough) = (through, nil) }
            copied += try await copyPiece(ends, condition, state)
            try await reached(.copiedPiece)
        }
    }

    func note(_ state: Arrival, _ ends: MovingEnds) async throws {
        let parameters: [PostgresValue] = [
            .int(Int64(state.number)), .int(state.copiedThrough), state.roundThrough.map { .int($0) } ?? .null,
            state.position.map { .timestamp(microseconds: $0) } ?? .null, .int(state.linksThrough),
            state.linkRevision.map { .int($0) } ?? .null,
        ]
        let isNoted = try await ends.target.run { try $0.execute(StoredSQL.updateArrival, parameters) > 0 }
        // Its commit was under way when that program was killed, for example.
        guard isNoted else { throw AppMoveError.isRunning }
    }

    private static func literal(_ time: Int64) -> String {
        "timestamptz '\(Timestamp(microseconds: time).rfc3339)'"
    }

    private func boundary(after position: Int64?, _ ends: MovingEnds) async throws -> Int64? {
        let parameters: [PostgresValue] = [
            .int(Int64(ends.app.number)), position.map { .timestamp(microseconds: $0) } ?? .null, .int(Int64(piece)),
        ]
        return try await ends.source.run {
            try $0.query(StoredSQL.selectBoundary, parameters).first?.timestamp(0)
        }
    }

    private func makeMonths(_ ends: MovingEnds) async throws {
        let months = try await ends.source.run { [number = ends.app.number] connection in
            try EventMonth.all(on: connection).filter { month in
                try connection.query(
                    "select exists (select from \(month.name) where app_number = $1)",
                    [.int(Int64(number))]
                )[0].bool(0)
            }.map(\.from)
        }
        try await ends.target.run { connection in
            for month in months {
                try connection.execute(
                    "select ensure_event_partition(($1::timestamptz at time zone 'UTC')::date)",
                    [.timestamp(microseconds: month.microseconds)]
                )
            }
        }
    }

    /// Copies events with their keys, and notes the position, in one transaction.
    private func copyPiece(_ ends: MovingEnds, _ condition: String, _ state: Arrival) async throws -> Int {
        try await transaction(ends.target) {
            let app = ["app_number": "\(state.number)"]
            let events = ends.rows(of: "event", app, where: condition)
            let count = try await ends.copy(events, into: "event", ends.names(of: "event"))
            func query(_ original: String) async -> String {
                let statement = await ends.source.text(of: original)
                return statement.replacing(":there", with: "\(state.number)")
                    .replacing(":here", with: "\(ends.app.number)")
                    .replacing(":condition", with: condition)
            }
            let keys = await query(StoredSQL.selectPieceKeys)
            _ = try await ends.copy(keys, into: "event_key", ["app_number", "event_id", "received_at"])
            let posts = await query(StoredSQL.selectPiecePosts)
            _ = try await ends.copy(posts, into: "feed_post_key", ["app_number", "post_id", "event_id"])
            try await note(state, ends)
            return count
        }
    }

    /// Fails if there are fewer of the events that are copied there than here.
    func compare(_ ends: MovingEnds) async throws {
        guard let arrival = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
        progress(DeletionProgress("counting events"))
        try await waitForThoseInDoubt(of: arrival.number, ends.target)
        let here = try await ends.source.run { [number = ends.app.number] in
            try $0.query(
                "select count(*) from event where app_number = $1 and transaction_number < $2",
                [.int(Int64(number)), .int(arrival.copiedThrough)]
            )[0].int(0)
        }
        let there = try await Self.count(arrival.number, ends.target)
        guard there >= here else { throw AppMoveError.isIncomplete(here: here, there: there) }
    }

    /// Returns when the workers of a cluster show what was committed there. Nobody who goes by the numbers of
    /// transactions waits for the rows of a copy: their numbers are those of the other database.
    func waitForThoseInDoubt(of app: Int32, _ connection: PostgresConnection) async throws {
        try await connection.run { try StoringTransactions.waitForThoseInDoubt(of: app, on: $0) }
    }

    func transaction<Value>(
        _ connection: PostgresConnection,
        begin: String = "begin",
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await connection.executeScript(begin)
        do {
            let value = try await body()
            try await connection.executeScript("commit")
            return value
        } catch {
            try? await connection.executeScript("rollback")
            throw error
        }
    }

    static func count(_ app: Int32, _ connection: PostgresConnection) async throws -> Int {
        try await connection.run {
            try $0.query("select count(*) from event where app_number = $1", [.int(Int64(app))])[0].int(0)
        }
    }
}
