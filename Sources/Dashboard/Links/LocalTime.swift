import Foundation
import Time

/// Times as people in the app's time zone read and enter them, to the minute.
struct LocalTime {
    private let calendar: Calendar

    /// - Parameter timeZone: IANA name.
    init(timeZone: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        self.calendar = calendar
    }

    /// `2026-01-31 14:05`.
    func text(_ time: Timestamp) -> String {
        let date = Date(timeIntervalSince1970: Double(time.spelled.microseconds) / 1e6)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2)) "
            + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
    }

    /// The time in a field of HTML, `2026-01-31T14:05` or `2026-01-31T14:05:30`; nil for another text, and for a time
    /// that does not exist.
    func time(_ text: String) -> Timestamp? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        let clock = halves[1].split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard halves[0].utf8.count == 10, date.count == 3, (2000...9999).contains(date[0]),
            halves[1].utf8.count == 3 * clock.count - 1, (2...3).contains(clock.count)
        else { return nil }
        let parts = DateComponents(
            year: date[0],
            month: date[1],
            day: date[2],
            hour: clock[0],
            minute: clock[1],
            second: clock.count == 3 ? clock[2] : 0
        )
        // `Calendar` moves a time that does not exist to one that does.
        guard let found = calendar.date(from: parts) else { return nil }
        let time = Timestamp(microseconds: Int64(found.timeIntervalSince1970.rounded()) * 1_000_000)
        return self.text(time) == "\(halves[0]) \(halves[1].prefix(5))" ? time : nil
    }
}
