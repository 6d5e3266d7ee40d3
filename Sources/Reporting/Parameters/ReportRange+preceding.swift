import Time

extension ReportRange {
    /// How much longer than the range the `preceding` range may be: if clocks were put forward, or, once in a century,
    /// a whole day was left out.
    private static let calendarSlack = Duration.seconds(2 * 86_400)

    /// The range of the same length that ends where this one starts. For whole days in the time zone, it has the same
    /// number of days, even if some have 23 or 25 hours; else the same length to the microsecond.
    func preceding(in zone: ReportTimeZone) -> ReportRange {
        let days = (from: zone.day(of: from), to: zone.day(of: to))
        guard zone.start(of: days.from) == from, zone.start(of: days.to) == to else {
            return ReportRange(from: from.advanced(by: .zero - length), to: from)
        }
        let first = CivilDate(number: days.from.number - (days.to.number - days.from.number))
        return ReportRange(from: zone.start(of: first), to: from)
    }

    /// At least as long as `preceding`, in any time zone.
    var longestPreceding: Duration { length + Self.calendarSlack }

    private var length: Duration { .microseconds(to.microseconds - from.microseconds) }
}
