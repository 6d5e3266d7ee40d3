import InboundLinks
import Synchronization

/// An IMF-fixdate (RFC 9110 section 5.6.7), for the answers that do not pass through Hummingbird.
struct HTTPDate: CustomStringConvertible {
    /// The last one that was asked for. Many answers leave in one second.
    private static let latest = Mutex<(second: Int64, text: String)>((.min, ""))

    static func text(at time: Timestamp) -> String {
        let second = time.microseconds / 1_000_000
        return latest.withLock { latest in
            if latest.second != second { latest = (second, HTTPDate(time: time).description) }
            return latest.text
        }
    }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    let time: Timestamp

    var description: String {
        let seconds = max(0, time.microseconds / 1_000_000)
        let (days, clock) = seconds.quotientAndRemainder(dividingBy: 86_400)
        var year: Int64 = 1970
        var day = days
        while day >= Self.length(of: year) {
            day -= Self.length(of: year)
            year += 1
        }
        var month = 0
        while day >= Self.length(ofMonth: month, in: year) {
            day -= Self.length(ofMonth: month, in: year)
            month += 1
        }
        let date = "\(Self.days[Int(days % 7)]), \(Self.twoDigits(day + 1)) \(Self.months[month]) \(year)"
        let minutes = clock / 60
        let time = [minutes / 60, minutes % 60, clock % 60].map(Self.twoDigits).joined(separator: ":")
        return "\(date) \(time) GMT"
    }

    private static func length(of year: Int64) -> Int64 {
        isLeap(year) ? 366 : 365
    }

    private static func length(ofMonth month: Int, in year: Int64) -> Int64 {
        switch month {
        case 1: isLeap(year) ? 29 : 28
        case 3, 5, 8, 10: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
