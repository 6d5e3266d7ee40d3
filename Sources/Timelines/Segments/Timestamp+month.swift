import Time

extension Timestamp {
    /// The start of this instant's month, UTC.
    var monthStart: Timestamp { Timestamp(startOf: date.firstOfMonth) }

    /// The first day of this instant's month, UTC, as PostgreSQL reads it.
    var monthText: String { String(monthStart.rfc3339.prefix(10)) }
}
