import InboundLinks

extension Timestamp {
    /// The start of its month, UTC: the proleptic Gregorian calendar, by Howard Hinnant's `civil_from_days`.
    var monthStart: Timestamp {
        let length: Int64 = 86_400_000_000
        let day = (microseconds - (microseconds < 0 ? length - 1 : 0)) / length
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        // The first day of the month, counted from March, is the one below.
        return Timestamp(microseconds: (day - dayOfYear + (153 * month + 2) / 5) * length)
    }

    /// The first day of its month, UTC, as PostgreSQL reads it.
    var monthText: String { String(monthStart.rfc3339.prefix(10)) }
}
