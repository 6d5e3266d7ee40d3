package import Time

extension ReportRequest {
    /// Why nothing can be compared with what begins on a day; nil if it can.
    package func incomparability(from day: CivilDate) -> String? {
        let start = zone.start(of: day)
        return incomparability(of: ReportRange(from: start, to: max(start, range.to)))
    }

    /// Why the answer cannot stand beside that of an earlier range; nil if it can. What began a week ago has had a week
    /// to come to something, and what began yesterday a day.
    func incomparability(with earlier: ReportRequest) -> String? {
        if let reason = earlier.incomparability(of: earlier.range) { return reason }
        if let end = report.matureEnd(at: now, in: zone), end < range.to {
            let start = ReportInstant.localText(of: max(end, range.from), in: zone)
            return "no comparison: what began from \(start) on still has time, and what began before had more"
        }
        return report.caveatOfComparison.map { "no comparison: \($0)" }
    }

    /// The day of the app's first event, if the range begins before it.
    package var firstDayWithin: CivilDate? {
        firstEvent.map { zone.day(of: $0) }.flatMap { $0 > zone.day(of: range.from) ? $0 : nil }
    }
}
