package import Postgres
package import Time

/// One of the events of an app that happened last, as far as a list of them tells it.
package struct NewestEvent: Sendable {
    /// How many such a list has at most.
    private static let limit: Int64 = 20

    package var type: String
    package var time: Timestamp
    /// Nil for what is no touch.
    package var channel: String?
    package var refs: [String]
    /// The person as the event itself names them.
    package var person: PersonKey?
    /// Test traffic, which no report counts.
    package var isTest: Bool

    package init(
        type: String,
        time: Timestamp,
        channel: String? = nil,
        refs: [String] = [],
        person: PersonKey? = nil,
        isTest: Bool = false
    ) {
        (self.type, self.time, self.channel, self.refs) = (type, time, channel, refs)
        (self.person, self.isTest) = (person, isTest)
    }

    /// - Parameter row: of `select_newest_events.sql`.
    private init(_ row: PostgresRow) throws {
        type = try row.text(0)
        time = Timestamp(microseconds: try row.timestamp(1))
        channel = try row.optionalText(2)
        refs = try row.optionalTextArray(3) ?? []
        isTest = try row.bool(7)
        for (column, kind) in PersonKey.Kind.allCases.enumerated() where person == nil {
            person = try row.optionalText(4 + column).map { PersonKey(kind, $0) }
        }
    }

    /// The newest first.
    package static func list(of app: App, on pool: PostgresPool) async throws -> [NewestEvent] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectNewestEvents, [.int(Int64(app.number)), .int(limit)])
                .map { try NewestEvent($0) }
        }
    }
}
