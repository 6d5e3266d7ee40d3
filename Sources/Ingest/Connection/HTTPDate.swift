import Time
import Synchronization

/// An IMF-fixdate (RFC 9110 section 5.6.7), for the answers that do not pass through Hummingbird.
struct HTTPDate: CustomStringConvertible {
    /// The last date, kept because many answers are sent within one second.
    private static let latest = Mutex<(second: Int64, text: String)>((.min, ""))

    static func text(at time: Timestamp) -> String {
        let second = time.microseconds / 1_000_000
        return latest.withLock { latest in
            if latest.second != second { latest = (second, HTTPDate(time: time).description) }
            return latest.text
        }
    }

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    let time: Timestamp

    var description: String {
        let time = max(time, Timestamp(microseconds: 0))
        let date = time.date
        let (year, month, day) = date.components
        let seconds = Int(time.microseconds / 1_000_000 % 86_400)
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(Self.days[date.weekday]), \(padded(day, 2)) \(Self.months[month - 1]) \(year) \(clock) GMT"
    }
}
