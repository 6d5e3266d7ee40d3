import Time
import Timelines

/// The calendar periods that a report's range touches, or the whole range as one. A fold keeps counters for each
/// period, and fills all of them in one pass.
///
/// A period lasts from the first instant of its first day to the first instant of the next period, in the report's time
/// zone. So a day on which clocks change has 23 or 25 hours. A period counts the same as a report over its range.
struct ReportPeriods {
    /// The first day of each period; empty if the range is not divided.
    private let days: [CivilDate]
    /// The first instant of each period within the range.
    let starts: [Timestamp]
    private let end: Timestamp
    /// Of a period, on average: in microseconds.
    private let length: Int64

    init(_ length: CalendarPeriod?, _ run: ReportRun) { self.init(length, in: run.range, run.zone) }

    init(_ length: CalendarPeriod?, in range: ReportRange, _ zone: ReportTimeZone) {
        end = range.to
        guard let length else {
            days = []
            starts = [range.from]
            self.length = .max
            return
        }
        var days: [CivilDate] = []
        var starts: [Timestamp] = []
        var day = length.start(of: zone.day(of: range.from))
        var start = zone.start(of: day)
        while start < range.to {
            let next = length.next(after: day)
            let end = zone.start(of: next)
            // If clocks are put back over midnight, a date comes twice; its rest belongs to the next day. A date that
            // an island skipped when it changed sides of the date line has no instant.
            if end > max(start, range.from) {
                days.append(day)
                starts.append(max(start, range.from))
            }
            (day, start) = (next, end)
        }
        self.days = days
        self.starts = starts
        let whole = range.to.microseconds - (starts.first ?? range.to).microseconds
        self.length = max(1, whole / Int64(max(1, starts.count)))
    }

    var count: Int { starts.count }

    /// The position of the period that contains an instant, from 0; nil outside the range.
    func position(of instant: Timestamp) -> Int? {
        guard instant < end, let first = starts.first, first <= instant else { return nil }
        // Folds ask for each event. Periods are about as long as each other, so it is here or beside it.
        let quotient = (instant.microseconds - first.microseconds) / length
        var position = min(Int(quotient), starts.count - 1)
        while starts[position] > instant { position -= 1 }
        while position + 1 < starts.count, starts[position + 1] <= instant { position += 1 }
        return position
    }

    /// The first instant after a period and after the range.
    func end(at position: Int) -> Timestamp { position + 1 < starts.count ? starts[position + 1] : end }

    /// The first day of each period; empty if the range is not divided.
    var names: [String] { days.map(\.description) }

    /// The first cells of a period's rows: its first day, or nothing.
    func cells(at position: Int) -> [ReportCell] {
        days.isEmpty ? [] : [.text(days[position].description)]
    }
}
