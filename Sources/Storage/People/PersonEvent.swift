package import Events
import InboundLinks
package import Postgres
package import Time

/// A stored event, with the columns that say whose it is and what it was.
package struct PersonEvent: Equatable, Sendable {
    package var id: EventID
    /// The raw value of an `EventType`.
    package var type: String
    package var occurredAt: Timestamp
    package var receivedAt: Timestamp
    package var keys: EventKeys
    package var postID: String?
    package var channel: String?
    package var refs: [String]
    /// The conversion's name.
    package var goal: String?
    /// The conversion's value as a decimal number.
    package var value: String?
    package var currency: String?
    package var isTestTraffic: Bool
    /// The number of the transaction that stored it; 0 if unknown.
    package var transactionNumber: Int64

    init(_ row: PostgresRow) throws {
        id = try row.eventID(0)
        type = try row.text(1)
        occurredAt = Timestamp(microseconds: try row.timestamp(2))
        receivedAt = Timestamp(microseconds: try row.timestamp(3))
        keys = EventKeys(
            userID: try row.optionalText(4),
            deviceID: try row.optionalText(5),
            clickID: try row.optionalText(6)
        )
        postID = try row.optionalText(7)
        channel = try row.optionalText(8)
        refs = try row.optionalTextArray(9) ?? []
        goal = try row.optionalText(10)
        value = try row.optionalText(11)
        currency = try row.optionalText(12)
        isTestTraffic = try row.bool(13)
        transactionNumber = try row.int64(14)
    }

    /// The events of an app that were received after a time, and happened at most an hour before it, in the order of
    /// time; the newest 100.
    ///
    /// - Parameter device: nil: of all devices.
    package static func arriving(
        in app: App,
        after time: Timestamp,
        of device: String?,
        on pool: PostgresPool
    ) async throws -> [PersonEvent] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.findArrivingEvents,
                [
                    .int(Int64(app.number)),
                    .timestamp(microseconds: time.advanced(by: .seconds(-3_600)).microseconds),
                    .timestamp(microseconds: time.microseconds), device.map { .text($0) } ?? .null,
                ]
            )
            .map { try PersonEvent($0) }
        }
    }

    /// Calls `body` with every stored event of the app that carries one of the person's keys: the person's own events,
    /// and those of others who share a device or a click. No index serves this: it reads all events of the app, month
    /// by month.
    static func forEach(
        mentioning person: Person,
        on connection: isolated PostgresConnection,
        progress: DeletionProgress.Handler,
        _ body: (PersonEvent, EventMonth) throws -> Void
    ) throws {
        try EventMonth.forEach(on: connection, stage: "searching events", progress: progress) { month in
            let rows = try connection.query(
                StoredSQL.findPersonEvents,
                [.int(Int64(person.app.number))] + month.bounds
                    + PersonKey.Kind.allCases.map { .textArray(person.ids($0)) }
            )
            for row in rows { try body(PersonEvent(row), month) }
        }
    }
}
