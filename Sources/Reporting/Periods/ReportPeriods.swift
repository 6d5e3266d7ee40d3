import Time
import Timelines

/// The periods of the calendar that a report's range touches, or the range as one. A fold keeps counters for each and fills
/// all of them in its one pass.
///
/// A period lasts from the first instant of its first day to the first instant of the next period's, in the report's time
/// zone; so days on which clocks change have 23 or 25 hours, and what a period counts is what a report over that time
/// counts.
struct ReportPeriods {
    /// The first day of each period; empty where the range is one.
    private let days: [CivilDate]
    /// The first instant of each period in the range.
    private let starts: [Timestamp]
    private let end: Timestamp

    init(_ length: PeriodLength, _ run: ReportRun) {
        let range = run.range
        end = range.to
        guard length != .none else {
            days = []
            starts = [range.from]
            return
        }
        var days: [CivilDate] = []
        var starts: [Timestamp] = []
        var day = length.start(of: run.zone.day(of: range.from))
        var start = run.zone.start(of: day)
        while start < range.to {
            let next = length.next(after: day)
            let end = run.zone.start(of: next)
            // Where clocks are put back over midnight, a date comes twice; what is left of it belongs to the day after. And
            // one that an island left out when it changed sides of the date line has no instant.
            if end > max(start, range.from) {
                days.append(day)
                starts.append(max(start, range.from))
            }
            (day, start) = (next, end)
        }
        self.days = days
        self.starts = starts
    }

    var count: Int { starts.count }

    /// The period that an instant lies in, from 0; nil outside of the range.
    func position(of instant: Timestamp) -> Int? {
        guard instant < end, let first = starts.first, first <= instant else { return nil }
        if starts.count == 1 { return 0 }
        return starts.firstPosition { $0 > instant } - 1
    }

    /// What stands in front of the rows of a period: its first day, or nothing.
    func cells(at position: Int) -> [ReportCell] {
        days.isEmpty ? [] : [.text(days[position].description)]
    }
}
