import Time
import Postgres

/// A partition of `event`: the events of a month (UTC).
struct EventMonth: Equatable, Sendable {
    /// The table's name, `event_2026_03`.
    var name: String
    /// Inclusive.
    var from: Timestamp
    /// Exclusive.
    var to: Timestamp
    /// The table's approximate size in pages.
    var pages: Int
    /// Whether its detachment has begun and not ended.
    var isDetaching: Bool

    /// Nil if the name is not that of a month's partition.
    init?(name: String, pages: Int = 0, isDetaching: Bool = false) {
        guard let match = name.wholeMatch(of: /event_(\d{4,})_(\d{2})/), let year = Int(match.1),
            let month = Int(match.2)
        else { return nil }
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        guard let from = Self.start(year, month), let to = Self.start(next.0, next.1) else { return nil }
        self.name = name
        self.from = from
        self.to = to
        self.pages = pages
        self.isDetaching = isDetaching
    }

    private static func start(_ year: Int, _ month: Int) -> Timestamp? {
        CivilDate(year: year, month: month, day: 1).map { Timestamp(startOf: $0) }
    }

    /// All months, the oldest first.
    static func all(on connection: isolated PostgresConnection) throws -> [EventMonth] {
        try connection.query(StoredSQL.selectEventMonths).compactMap { row in
            EventMonth(name: try row.text(0), pages: max(try row.int(1), 0), isDetaching: try row.bool(2))
        }
    }

    /// Calls `body` with each month, the oldest first. The progress counts pages.
    static func forEach(
        on connection: isolated PostgresConnection,
        stage: String,
        progress: DeletionProgress.Handler,
        _ body: (EventMonth) throws -> Void
    ) throws {
        let months = try all(on: connection)
        let total = months.reduce(0) { $0 + $1.pages + 1 }
        var done = 0
        for month in months {
            progress(DeletionProgress(stage, done: done, total: total))
            try body(month)
            done += month.pages + 1
        }
    }

    /// The month's start and end, as parameters of a statement.
    var bounds: [PostgresValue] {
        [.timestamp(microseconds: from.microseconds), .timestamp(microseconds: to.microseconds)]
    }
}
