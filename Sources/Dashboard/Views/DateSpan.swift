import Foundation
import Time

/// Days that a view is about, both ends included, as dates of the app's time zone: `2026-01-31`.
struct DateSpan: Equatable {
    var from: String
    var through: String
    /// The day after `through`: where a report's range ends.
    var end: String
    var dayCount: Int

    /// The days that the address bar asks for, else the last 30 with today.
    init(_ fields: FormFields, timeZone: String, now: Timestamp) throws(DashboardFailure) {
        let calendar = Self.calendar(timeZone)
        let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(now.microseconds) / 1e6))
        let through = try Self.day(fields["through"], in: calendar, named: "through") ?? today
        let from =
            try Self.day(fields["from"], in: calendar, named: "from")
            ?? calendar.date(byAdding: .day, value: -29, to: through) ?? through
        guard from <= through else { throw .invalid("The range is reversed: it begins after it ends.") }
        self.init(from: from, through: through, calendar: calendar)
    }

    private init(from: Date, through: Date, calendar: Calendar) {
        dayCount = (calendar.dateComponents([.day], from: from, to: through).day ?? 0) + 1
        self.from = Self.text(from, calendar)
        self.through = Self.text(through, calendar)
        end = Self.text(calendar.date(byAdding: .day, value: 1, to: through) ?? through, calendar)
    }

    /// As many days, right before these.
    func previous(timeZone: String) -> DateSpan? {
        let calendar = Self.calendar(timeZone)
        guard
            let first = Self.date(from, calendar),
            let start = calendar.date(byAdding: .day, value: -dayCount, to: first),
            let last = calendar.date(byAdding: .day, value: -1, to: first)
        else { return nil }
        return DateSpan(from: start, through: last, calendar: calendar)
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

    /// A date some days after another; dates compare as texts. Of no zone.
    static func day(_ text: String, plus days: Int) -> String {
        let calendar = calendar("UTC")
        guard let date = date(text, calendar), let later = calendar.date(byAdding: .day, value: days, to: date) else {
            return text
        }
        return self.text(later, calendar)
    }

    /// The length of a period that makes a chart of at most about a hundred points.
    var period: String { dayCount <= 100 ? "day" : dayCount <= 700 ? "week" : "month" }

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
            throw .invalid("‘\(name)’ is no date such as 2026-01-31.")
        }
        return date
    }

    private static func date(_ text: String, _ calendar: Calendar) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 3, text.utf8.count == 10, (2000...9999).contains(parts[0]) else { return nil }
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        // A date that does not exist is moved to one that does.
        guard let date = calendar.date(from: components), Self.text(date, calendar) == text else { return nil }
        return date
    }

    private static func text(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }
}
