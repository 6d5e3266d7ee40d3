import Events
package import Time

/// Instants as parameters write them and captions show them (docs/reports.md, *Times*).
package enum ReportInstant {
    /// The longest time ago that a duration may name: longer than any event is kept.
    package static let longestAgo = Duration.seconds(36_500 * 86_400)

    /// Reads an instant. A text means the same instant whether a range starts or ends there:
    ///
    /// - a date, or a day as seen from today (``day(_:seenFrom:)``): the first instant of the day in the time zone
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
            "'\(text)' is not a time; give \(ReportParameter.timeForms), such as 2026-01-31T09:30:00Z"
        )
    }

    private static func day(_ text: String, zone: ReportTimeZone, now: Timestamp) -> CivilDate? {
        let today = zone.day(of: now)
        // A date that an island skipped is no yesterday.
        if text == "yesterday" { return zone.day(of: zone.start(of: today).advanced(byMicroseconds: -1)) }
        return day(text, seenFrom: today) ?? CivilDate(text) ?? month(text)
    }

    /// A day that moves with today; nil for any other text.
    ///
    /// - `monday`, `this-month`: the first day of this week, or of this month
    /// - `last-week`, `last-month`: the first day of the week before, or of the month before
    /// - `7days`: the first of the seven days that end with today
    package static func day(_ text: String, seenFrom today: CivilDate) -> CivilDate? {
        switch text {
        case "today": return today
        case "yesterday": return CivilDate(number: today.number - 1)
        case "monday": return today.monday
        case "last-week": return CivilDate(number: today.monday.number - 7)
        case "this-month": return today.firstOfMonth
        case "last-month": return CivilDate(number: today.firstOfMonth.number - 1).firstOfMonth
        default:
            let digits = text.dropLast(4)
            guard text.hasSuffix("days"), digits.utf8.allSatisfy({ (48...57).contains($0) }),
                let count = Int(digits), (1...36_500).contains(count)
            else { return nil }
            return lastDays(count, endingWith: today)
        }
    }

    /// The first of some days.
    static func lastDays(_ count: Int, endingWith day: CivilDate) -> CivilDate {
        CivilDate(number: day.number - count + 1)
    }

    /// Whether a time means the same whenever it is read.
    static func isFixed(_ text: String) -> Bool {
        text != "now" && Duration(text: text) == nil && day(text, seenFrom: CivilDate(number: 0)) == nil
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
