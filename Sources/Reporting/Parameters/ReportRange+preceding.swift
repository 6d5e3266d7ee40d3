import Time

extension ReportRange {
    /// How much later than `preceding` a time of the range's length before it may begin: where the clocks were put
    /// forward, or, once in a century, a whole day was left out.
    private static let calendarSlack = Duration.seconds(2 * 86_400)

    /// The range of the same length that ends where this one starts. Of whole days in the zone, as many days, also where
    /// some have 23 hours or 25; else the same time to the microsecond.
    func preceding(in zone: ReportTimeZone) -> ReportRange {
        let days = (from: zone.day(of: from), to: zone.day(of: to))
        guard zone.start(of: days.from) == from, zone.start(of: days.to) == to else {
            return ReportRange(from: from.advanced(by: .zero - length), to: from)
        }
        let first = CivilDate(number: days.from.number - (days.to.number - days.from.number))
        return ReportRange(from: zone.start(of: first), to: from)
    }

    /// At least as long as `preceding` in any zone.
    var longestPreceding: Duration { length + Self.calendarSlack }

    private var length: Duration { .microseconds(to.microseconds - from.microseconds) }
}
