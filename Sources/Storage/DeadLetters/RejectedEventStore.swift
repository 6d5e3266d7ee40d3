import Events
import InboundLinks
import Time
package import Postgres

/// The dead letters of a database.
package struct RejectedEventStore: Sendable {
    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The newest dead letters first, at most `limit`.
    package func list(_ filter: RejectedEventFilter, limit: Int) async throws -> [RejectedEvent] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectRejectedEvents, filter.parameters + [.int(Int64(limit))])
                .map(Self.letter)
        }
    }

    package func count(_ filter: RejectedEventFilter) async throws -> Int {
        try await pool.withConnection { connection in
            Int(try connection.query(StoredSQL.countRejectedEvents, filter.parameters)[0].int(0))
        }
    }

    /// - Returns: how many were deleted.
    @discardableResult
    package func delete(_ filter: RejectedEventFilter) async throws -> Int {
        try await pool.withTransaction { connection in
            let count = try connection.execute(StoredSQL.deleteRejectedEvents, filter.parameters)
            // Those of some ids have been stored by a retry.
            if count > 0, filter.ids == nil {
                let fields = [("count", InspectionValue.number(Int64(count)))]
                try ChangeLog.write(.purgeRejected, app: filter.appNumber, before: fields, on: connection)
            }
            return count
        }
    }

    /// The dead letters after `last`, in the order of receipt.
    func page(_ filter: RejectedEventFilter, after last: RejectedEvent?, limit: Int) async throws -> [RejectedEvent] {
        let position: [PostgresValue] = [
            .timestamp(microseconds: last?.receivedAt.microseconds ?? 0),
            .uuid(high: last?.id.high ?? 0, low: last?.id.low ?? 0),
        ]
        return try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectRejectedEventsToRetry,
                filter.parameters + [.int(Int64(limit))] + position
            ).map(Self.letter)
        }
    }

    private static func letter(_ row: PostgresRow) throws -> RejectedEvent {
        RejectedEvent(
            id: try row.eventID(0),
            appNumber: Int32(try row.int(1)),
            appID: try row.text(2),
            receivedAt: Timestamp(microseconds: try row.timestamp(3)),
            keyPrefix: try row.text(4),
            eventID: try row.optionalText(5),
            code: try row.text(6),
            field: try row.optionalText(7),
            message: try row.text(8),
            event: try row.text(9),
            encodedEvent: try row.optionalText(10)
        )
    }
}
