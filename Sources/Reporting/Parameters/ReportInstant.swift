import Events
package import Time

/// Instants as parameters write them and captions show them (docs/reports.md, *Times*).
package enum ReportInstant {
    /// The longest time ago that a duration may name: longer than any event is kept.
    private static let longestAgo = Duration.seconds(36_500 * 86_400)

    /// Reads an instant. A text means the same instant whether a range starts or ends there:
    ///
    /// - a date, `today` or `yesterday`: the first instant of the day in the time zone
    /// - a month, `2026-11`: the first instant of its first day
    /// - `now`, or a duration such as `7d`: that long before now
    /// - RFC 3339 with an offset; in a query the `+` of the offset may have become a blank
    ///
    /// - Throws: `ReportError.usage` for any other text.
    package static func parse(
        _ text: String,
        field: String,
        zone: ReportTimeZone,
        now: Timestamp
    ) throws(ReportError) -> Timestamp {
        if let day = day(text, zone: zone, now: now) { return zone.start(of: day) }
        if let instant = Timestamp(rfc3339: PlusSign.restored(inTime: text) ?? text) { return instant }
        if text == "now" { return now }
        if let ago = Duration(text: text) {
            guard ago <= longestAgo else { throw .invalid(field, "\(text) is above the limit of 36500d") }
            return now.advanced(by: .zero - ago)
        }
        throw .invalid(
            field,
            "'\(text)' is not a time; give a date (2026-01-31), a month (2026-01), today, yesterday, how long ago (7d),"
                + " or a time with an offset (2026-01-31T09:30:00Z)"
        )
    }

    private static func day(_ text: String, zone: ReportTimeZone, now: Timestamp) -> CivilDate? {
        switch text {
        case "today": zone.day(of: now)
        // A date that an island skipped is no yesterday.
        case "yesterday": zone.day(of: zone.start(of: zone.day(of: now)).advanced(byMicroseconds: -1))
        default: CivilDate(text) ?? month(text)
        }
    }

    /// The first day of a month: `2026-11`.
    private static func month(_ text: String) -> CivilDate? {
        text.utf8.count == 7 ? CivilDate(text + "-01") : nil
    }

    /// How to end a range with a day or a month, for somebody who named it as the end: the date after it. Nil for any
    /// other text.
    static func end(including text: String) -> String? {
        if let day = CivilDate(text) { return CivilDate(number: day.number + 1).description }
        guard let month = month(text) else { return nil }
        return String(CalendarPeriod.month.next(after: month).description.prefix(7))
    }

    /// For people, in local time: `2026-01-31 10:30`, with seconds only if they are not 0.
    static func localText(of instant: Timestamp, in zone: ReportTimeZone) -> String {
        let offset = Int64(zone.secondsFromUTC(at: instant)) * 1_000_000
        let local = Timestamp(microseconds: instant.microseconds + offset).rfc3339
        let clock = local.dropFirst(11).prefix(8)
        return "\(local.prefix(10)) \(clock.hasSuffix(":00") ? clock.dropLast(3) : clock)"
    }
}
