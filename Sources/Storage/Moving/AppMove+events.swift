import Postgres
import Time

extension AppMove {
    /// Copies the events that no round has copied.
    ///
    /// - Parameter isLast: whether nothing is stored any more: then all are.
    /// - Returns: how many.
    func copyRound(_ ends: MovingEnds, isLast: Bool) async throws -> Int {
        guard var state = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
        let number = ends.app.number
        if state.roundThrough == nil || isLast {
            // Events that wait for the end of others' transactions are stored already at the last round.
            let through = isLast ? .max : try await ends.source.run { try TransactionHorizon.read(of: number, on: $0) }
            if state.roundThrough == nil { state.position = nil }
            state.roundThrough = through
            try await note(state, ends)
        }
        try await makeMonths(ends)
        let isFirst = state.copiedThrough == 0
        let total = isFirst ? try await Self.count(number, ends.source) : 0
        var copied = 0
        while let through = state.roundThrough {
            progress(DeletionProgress("copying events", done: copied, total: total))
            var condition = "transaction_number >= \(state.copiedThrough) and transaction_number < \(through)"
            // By time, as the index has it, or by transaction.
            let boundary = isFirst ? try await boundary(after: state.position, ends) : nil
            condition += isFirst ? " and app_number = \(number)" : " and app_number + 0 = \(number)"
            if let position = state.position { condition += " and occurred_at >= \(Self.literal(position))" }
            if let boundary { condition += " and occurred_at < \(Self.literal(boundary))" }
            state.position = boundary
            if boundary == nil { (state.copiedThrough, state.roundThrough) = (through, nil) }
            copied += try await copyPiece(ends, condition, state)
            try await reached(.copiedPiece)
        }
        return copied
    }

    private func note(_ state: Arrival, _ ends: MovingEnds) async throws {
        try await ends.target.run { connection in
            _ = try connection.execute(
                """
                update app_arrival
                set copied_through = $2, round_through = $3, round_position = $4
                where app_number = $1
                """,
                [
                    .int(Int64(state.number)), .int(state.copiedThrough), state.roundThrough.map { .int($0) } ?? .null,
                    state.position.map { .timestamp(microseconds: $0) } ?? .null,
                ]
            )
        }
    }

    private static func literal(_ time: Int64) -> String {
        "timestamptz '\(Timestamp(microseconds: time).rfc3339)'"
    }

    private func boundary(after position: Int64?, _ ends: MovingEnds) async throws -> Int64? {
        let parameters: [PostgresValue] = [
            .int(Int64(ends.app.number)), position.map { .timestamp(microseconds: $0) } ?? .null, .int(Int64(piece)),
        ]
        return try await ends.source.run { connection in
            try connection.query(
                """
                select occurred_at
                from event
                where app_number = $1
                    and occurred_at > coalesce($2::timestamptz, '-infinity')
                order by occurred_at
                offset $3
                limit 1
                """,
                parameters
            ).first?.timestamp(0)
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
            // All that are here, however new the other database is: a retry may say another time.
            let keys = """
                select \(state.number)::integer, event_id, event_key.received_at
                from event
                join event_key using (app_number, event_id)
                where \(condition)
                """
            _ = try await ends.copy(keys, into: "event_key", ["app_number", "event_id", "received_at"])
            try await note(state, ends)
            return count
        }
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
