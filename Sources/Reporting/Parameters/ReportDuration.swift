import Time

/// A duration as parameters write it: `90s`, `30m`, `36h`, `7d`. A day is 24 hours.
struct ReportDuration: Equatable, Sendable {
    /// The longest lookback and the longest window of any report.
    static let longest = ReportDuration(days: 90)

    let duration: Duration
    /// The same in microseconds, for folds: arithmetic on `Duration` takes 128 bits.
    let microseconds: Int64
    /// As it was given.
    let text: String

    init(days: Int64) {
        duration = .seconds(days * 86_400)
        microseconds = days * 86_400_000_000
        text = "\(days)d"
    }

    /// - Throws: `ReportError.usage` if `text` is not a duration, is zero, or is longer than 90 days.
    init(parsing text: String, field: String) throws(ReportError) {
        guard let duration = Duration(text: text) else {
            throw .invalid(field, "'\(text)' is not a duration such as 90s, 30m, 36h or 7d")
        }
        self.duration = duration
        microseconds = duration.wholeMicroseconds
        self.text = text
        guard duration > .zero else { throw .invalid(field, "must be longer than 0") }
        guard duration <= Self.longest.duration else { throw .invalid(field, "\(text) is above the limit of 90d") }
    }

    static let limitText = "at most \(longest.text)"

    static func == (first: ReportDuration, second: ReportDuration) -> Bool {
        first.duration == second.duration
    }
}
