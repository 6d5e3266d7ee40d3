import Time

/// Instants as parameters write them and captions show them.
enum ReportInstant {
    /// Reads a date in a time zone (its first instant), or RFC 3339 with an offset.
    ///
    /// - Throws: `ReportError.usage` if it is neither.
    static func parse(_ text: String, field: String, zone: ReportTimeZone) throws(ReportError) -> Timestamp {
        if let day = CivilDate(text) { return zone.start(of: day) }
        if let instant = Timestamp(rfc3339: text) { return instant }
        throw .invalid(
            field,
            "'\(text)' is neither a date (2026-01-31) nor a time with an offset (2026-01-31T09:30:00Z)"
        )
    }

    /// For people, in local time: `2026-01-31 10:30`, with seconds only if they are not 0.
    static func localText(of instant: Timestamp, in zone: ReportTimeZone) -> String {
        let offset = Int64(zone.secondsFromUTC(at: instant)) * 1_000_000
        let local = Timestamp(microseconds: instant.microseconds + offset).rfc3339
        let clock = local.dropFirst(11).prefix(8)
        return "\(local.prefix(10)) \(clock.hasSuffix(":00") ? clock.dropLast(3) : clock)"
    }
}
