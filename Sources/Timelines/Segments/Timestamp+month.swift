import Time

extension Timestamp {
    /// The start of its month, UTC.
    var monthStart: Timestamp { Timestamp(startOf: date.firstOfMonth) }

    /// The first day of its month, UTC, as PostgreSQL reads it.
    var monthText: String { String(monthStart.rfc3339.prefix(10)) }
}
