import InboundLinks

/// A length of time as people write it: `90s`, `30m`, `36h`, `7d`. A day is 24 hours.
struct ReportDuration: Equatable, Sendable {
    private static let units: [(suffix: Character, seconds: Int64)] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    /// The longest lookback and the longest window of any report.
    static let longest = ReportDuration(days: 90)

    let duration: Duration
    /// As it was written.
    let text: String

    init(days: Int64) {
        duration = .seconds(days * 86_400)
        text = "\(days)d"
    }

    /// - Throws: `ReportError.usage` where `text` is no duration, is zero or is longer than 90 days.
    init(parsing text: String, field: String) throws(ReportError) {
        guard
            let unit = Self.units.first(where: { $0.suffix == text.last }),
            text.utf8.count <= 12,
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int64(text.dropLast())
        else { throw .invalid(field, "'\(text)' is no duration such as 90s, 30m, 36h or 7d") }
        duration = .seconds(count * unit.seconds)
        self.text = text
        guard duration > .zero else { throw .invalid(field, "must be longer than 0") }
        guard duration <= Self.longest.duration else { throw .invalid(field, "\(text) is above the limit of 90d") }
    }

    static let limitText = "at most \(longest.text)"

    var microseconds: Int64 { duration.wholeMicroseconds }

    static func == (first: ReportDuration, second: ReportDuration) -> Bool {
        first.duration == second.duration
    }
}
