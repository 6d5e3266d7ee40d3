import Time
import Postgres

/// The state of a change scan, and of the one before it (`sql/figures/select_looked.sql`).
struct ChangeScan {
    struct Last {
        var definition: Int
        var timeZone: String
        var currency: String
        var properties: [String]
        var horizon: Int64
        var generation: Int64
        var snapshot: String
        /// Microseconds since 1970.
        var scannedAt: Int64
        var isValid: Bool
    }

    /// Nil before the first scan.
    var last: Last?
    var horizon: Int64
    var generation: Int64
    var snapshot: String
    /// Microseconds since 1970.
    var scannedAt: Int64
    /// The time of the latest event.
    var newest: Timestamp

    init(_ row: PostgresRow) throws {
        if let definition = try row.optionalInt(0) {
            last = Last(
                definition: definition,
                timeZone: try row.text(1),
                currency: try row.text(2),
                properties: try row.textArray(3),
                horizon: try row.int64(4),
                generation: try row.int64(5),
                snapshot: try row.text(6),
                scannedAt: try row.timestamp(7),
                isValid: try !row.bool(8)
            )
        }
        horizon = try row.int64(9)
        generation = try row.int64(10)
        snapshot = try row.text(11)
        scannedAt = try row.timestamp(12)
        newest = Timestamp(microseconds: try row.optionalTimestamp(13) ?? .min)
    }
}
