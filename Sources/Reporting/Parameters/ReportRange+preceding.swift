import Time

extension ReportRange {
    /// How much longer before the range the `preceding` one may start than the range is long: less than a day so that
    /// it ends at the same hour; clocks that are put forward; once in a century, a whole day that was left out.
    private static let calendarSlack = Duration.seconds(4 * 86_400)

    /// The range to compare this one with: this one, moved back in the time zone by as few whole days as needed for it
    /// to end before this one starts. So a range that ends at 15:30 is compared with one that ends at 15:30.
    ///
    /// - Parameter asked: the range that decides by how many days, if this one is a part of it.
    func preceding(in zone: ReportTimeZone, movedLike asked: ReportRange? = nil) -> ReportRange {
        let days = (asked ?? self).daysToPreceding(in: zone)
        let start = zone.instant(from, movedBackBy: days)
        // If clocks were put back, the end may come to lie before the start.
        return ReportRange(from: start, to: max(start, zone.instant(to, movedBackBy: days)))
    }

    private func daysToPreceding(in zone: ReportTimeZone) -> Int {
        var days = max(1, zone.day(of: to).number - zone.day(of: from).number)
        while zone.instant(to, movedBackBy: days) > from { days += 1 }
        return days
    }

    /// A range that contains this one and the preceding one, in any time zone.
    var withPreceding: ReportRange { ReportRange(from: from.advanced(by: .zero - longestPreceding), to: to) }

    /// The longest time that the preceding range may start before this one.
    var longestPreceding: Duration {
        .microseconds(to.microseconds - from.microseconds) + Self.calendarSlack
    }

    /// The part of the range before an instant. It is empty if the instant lies before the range.
    func before(_ end: Timestamp) -> ReportRange {
        ReportRange(from: from, to: max(from, min(to, end)))
    }
}
