import Foundation
import Time

/// The days of a view, both ends included, as dates in the app's time zone: `2026-01-31`.
struct DateSpan: Equatable {
    var from: String
    var through: String
    /// Where a report's range ends: the day after `through`, or an instant within `through`, which may be `now`.
    var end: String
    var dayCount: Int

    /// The days in the URL. Default: the last 30 days with today. A range that begins by today ends by today, too: a
    /// day to come has no figures, and makes the range before and what is divided by days too long.
    ///
    /// - Parameter weeks: by default, this many weeks before this one, and this one up to today.
    init(_ fields: FormFields, timeZone: String, now: Timestamp, weeks: Int? = nil) throws(DashboardFailure) {
        let calendar = Self.calendar(timeZone)
        let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(now.microseconds) / 1e6))
        let through = try Self.day(fields["through"], in: calendar, named: "through") ?? today
        let days = weeks.map { -7 * $0 - Self.daysSinceMonday(Self.text(through, calendar)) } ?? -29
        let from =
            try Self.day(fields["from"], in: calendar, named: "from")
            ?? calendar.date(byAdding: .day, value: days, to: through) ?? through
        guard from <= through else { throw .invalid("The range is reversed: ‘from’ must not be after ‘through’.") }
        self.init(from: from, through: from <= today ? min(through, today) : through, calendar: calendar)
    }

    private init(from: Date, through: Date, calendar: Calendar) {
        dayCount = (calendar.dateComponents([.day], from: from, to: through).day ?? 0) + 1
        self.from = Self.text(from, calendar)
        self.through = Self.text(through, calendar)
        end = Self.text(calendar.date(byAdding: .day, value: 1, to: through) ?? through, calendar)
    }

    /// The same number of days, directly before these. If these end with today, which is not over, those end at the
    /// same time of day, so that both are as long.
    func previous(timeZone: String, now: Timestamp) -> DateSpan? {
        let calendar = Self.calendar(timeZone)
        guard var span = moved(by: -dayCount, calendar) else { return nil }
        let instant = Date(timeIntervalSince1970: Double(now.microseconds) / 1e6)
        if through == Self.text(instant, calendar),
            let end = calendar.date(byAdding: .day, value: -dayCount, to: instant)
        {
            span.end = Timestamp(microseconds: Int64((end.timeIntervalSince1970 * 1e6).rounded())).rfc3339
        }
        return span
    }

    /// The days before these in which a chart has as many periods: whole weeks or months earlier.
    func previousPeriods(timeZone: String) -> DateSpan? {
        let calendar = Self.calendar(timeZone)
        switch period {
        case "month":
            guard let first = Self.date(from, calendar), let last = Self.date(through, calendar) else { return nil }
            let months = 1 + Self.months(from, through)
            guard let start = calendar.date(byAdding: .month, value: -months, to: first),
                let end = calendar.date(byAdding: .month, value: -months, to: last)
            else { return nil }
            return DateSpan(from: start, through: end, calendar: calendar)
        case "week": return moved(by: -(dayCount + 6) / 7 * 7, calendar)
        default: return moved(by: -dayCount, calendar)
        }
    }

    /// The days of a period that lie in these days; nil if the text is no date, or none does.
    func narrowed(toPeriod period: String, from start: String, timeZone: String) -> DateSpan? {
        let calendar = Self.calendar(timeZone)
        let last = Self.day(Self.end(of: period, from: start), plus: -1)
        guard let first = Self.date(max(start, from), calendar), let through = Self.date(min(last, through), calendar),
            first <= through
        else { return nil }
        return DateSpan(from: first, through: through, calendar: calendar)
    }

    private func moved(by days: Int, _ calendar: Calendar) -> DateSpan? {
        guard
            let first = Self.date(from, calendar), let last = Self.date(through, calendar),
            let start = calendar.date(byAdding: .day, value: days, to: first),
            let end = calendar.date(byAdding: .day, value: days, to: last)
        else { return nil }
        return DateSpan(from: start, through: end, calendar: calendar)
    }

    /// How many months the month of one date is after that of another.
    private static func months(_ first: String, _ last: String) -> Int {
        func number(_ date: String) -> Int {
            let parts = date.split(separator: "-").compactMap { Int($0) }
            return parts.count == 3 ? parts[0] * 12 + parts[1] : 0
        }
        return number(last) - number(first)
    }

    /// The last days up to today.
    static func last(_ days: Int, timeZone: String, now: Timestamp) -> DateSpan {
        let calendar = calendar(timeZone)
        let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(now.microseconds) / 1e6))
        return DateSpan(
            from: calendar.date(byAdding: .day, value: 1 - days, to: today) ?? today,
            through: today,
            calendar: calendar
        )
    }

    /// The ranges that people ask for most, with their names.
    ///
    /// - Parameter weeks: those of the view's own default.
    static func choices(timeZone: String, now: Timestamp, weeks: Int? = nil) -> [(title: String, span: DateSpan)] {
        let today = last(1, timeZone: timeZone, now: now)
        let calendar = calendar(timeZone)
        func span(_ from: String, _ through: String) -> DateSpan? {
            guard let first = date(from, calendar), let last = date(through, calendar) else { return nil }
            return DateSpan(from: first, through: last, calendar: calendar)
        }
        let day = today.from
        let yesterday = Self.day(day, plus: -1)
        let week = Self.day(day, plus: -daysSinceMonday(day))
        let month = "\(day.prefix(8))01"
        let endOfLastMonth = Self.day(month, plus: -1)
        let named: [(title: String, span: DateSpan?)] = [
            ("Today", today), ("Yesterday", span(yesterday, yesterday)),
            ("This week", span(week, day)), ("Last week", span(Self.day(week, plus: -7), Self.day(week, plus: -1))),
            ("This month", span(month, day)),
            ("Last month", span("\(endOfLastMonth.prefix(8))01", endOfLastMonth)),
        ]
        let usual: (title: String, span: DateSpan?)? = weeks.map { count in
            (title: "\(count) weeks", span: span(Self.day(week, plus: -7 * count), day))
        }
        return (named + [usual].compactMap(\.self)).compactMap { choice in choice.span.map { (choice.title, $0) } }
            + [(7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "1 year")]
            .map { ($0.1, last($0.0, timeZone: timeZone, now: now)) }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Weeks begin on Monday, as those of the reports do.
    private static func daysSinceMonday(_ day: String) -> Int { ((weekdays.firstIndex(of: weekday(day)) ?? 1) + 6) % 7 }

    /// The date that many days after another, without a time zone. Dates compare as texts.
    static func day(_ text: String, plus days: Int) -> String {
        let calendar = calendar("UTC")
        guard let date = date(text, calendar), let later = calendar.date(byAdding: .day, value: days, to: date) else {
            return text
        }
        return self.text(later, calendar)
    }

    /// `Mon` to `Sun`; empty for a text that is no date.
    static func weekday(_ text: String) -> String {
        let calendar = calendar("UTC")
        guard let date = date(text, calendar) else { return "" }
        return weekdays[calendar.component(.weekday, from: date) - 1]
    }

    /// `Mon 2 Nov`: a day where there is little room.
    static func shortDay(_ text: String) -> String {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 3, (1...12).contains(parts[1]) else { return text }
        return "\(weekday(text)) \(parts[2]) \(months[parts[1] - 1])"
    }

    /// The first date after a period that starts on a date.
    static func end(of period: String, from start: String) -> String {
        switch period {
        case "day": return day(start, plus: 1)
        case "week": return day(start, plus: 7)
        default:
            let calendar = calendar("UTC")
            guard let date = date(start, calendar), let next = calendar.date(byAdding: .month, value: 1, to: date)
            else {
                return start
            }
            return text(next, calendar)
        }
    }

    /// The length of a period that makes a chart of at most about a hundred points.
    var period: String { dayCount <= 100 ? "day" : dayCount <= 700 ? "week" : "month" }

    /// `2026-01-01 to 2026-01-31`, or the one day.
    var words: String { from == through ? from : "\(from) to \(through)" }

    /// Whether the range ends within its last day.
    var endsWithin: Bool { end.utf8.count != 10 }

    var parameters: [(name: String, value: String)] { [("from", from), ("to", end)] }

    private static func calendar(_ timeZone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        return calendar
    }

    private static func day(_ text: String?, in calendar: Calendar, named name: String) throws(DashboardFailure)
        -> Date?
    {
        guard let text else { return nil }
        guard let date = date(text, calendar) else {
            throw .invalid("‘\(name)’ must be a date such as 2026-01-31.")
        }
        return date
    }

    private static func date(_ text: String, _ calendar: Calendar) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 3, text.utf8.count == 10, (2000...9999).contains(parts[0]) else { return nil }
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        // `Calendar` moves a date that does not exist to one that does.
        guard let date = calendar.date(from: components), Self.text(date, calendar) == text else { return nil }
        return date
    }

    private static func text(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return "\(padded(parts.year ?? 0, 4))-\(padded(parts.month ?? 0, 2))-\(padded(parts.day ?? 0, 2))"
    }
}
