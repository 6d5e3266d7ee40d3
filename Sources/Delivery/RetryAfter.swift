import Foundation

/// The header `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
enum RetryAfter {
    /// The longest pause that a receiver can ask for.
    private static let limit: Duration = .seconds(3_600)

    /// - Returns: nil for any other text.
    static func duration(_ text: String, now: Date) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int64(text).map { min(.seconds($0), limit) } ?? limit
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text).map { date in
            .seconds(min(max(0, date.timeIntervalSince(now)), Double(limit.components.seconds)))
        }
    }
}
