import Time

/// How often a range has each hour of the day and each day of the week, as clocks of the report's time zone show them.
/// A part of an hour or a day counts as a part.
struct ClockCounts {
    private static let hour: Int64 = 3_600_000_000
    private static let week = 7 * Timestamp.microsecondsPerDay

    /// By day of the week, from Monday, then by hour: how long clocks show it, in microseconds.
    private var hours: [Int64] = Array(repeating: 0, count: 7 * 24)
    /// By day of the week, in millionths.
    private var days: [Int128] = Array(repeating: 0, count: 7)

    init(_ run: ReportRun) {
        let (range, zone) = (run.range, run.zone)
        var skipped: Set<Int> = []
        var start = range.from
        while start < range.to {
            let offset = zone.secondsFromUTC(at: start)
            let end = zone.change(after: start, before: range.to) ?? range.to
            addHours(from: start, to: end, offset: offset)
            let jump = zone.secondsFromUTC(at: end) - offset
            if end < range.to, jump >= 86_400 {
                // An island that changes sides of the date line skips a date.
                let day = zone.day(of: end).number
                skipped.formUnion((1...jump / 86_400).map { day - $0 })
            }
            start = end
        }
        let first = zone.day(of: range.from).number
        let last = zone.day(of: range.to.advanced(byMicroseconds: -1)).number
        for number in first...max(first, last) where !skipped.contains(number) {
            let day = CivilDate(number: number)
            let isInner = first < number && number < last
            days[day.weekday] += isInner ? 1_000_000 : Self.part(of: day, in: range, zone)
        }
    }

    /// How much of a day lies in the range, in millionths.
    private static func part(of day: CivilDate, in range: ReportRange, _ zone: ReportTimeZone) -> Int128 {
        let (start, end) = (zone.start(of: day), zone.start(of: CivilDate(number: day.number + 1)))
        guard start < end else { return 0 }
        let part = min(end, range.to).microseconds - max(start, range.from).microseconds
        let length = end.microseconds - start.microseconds
        return roundedQuotient(Int128(max(0, part)) * 1_000_000, by: Int128(length))
    }

    /// Adds a time in which clocks are not changed.
    private mutating func addHours(from start: Timestamp, to end: Timestamp, offset: Int) {
        // 1970 began on a Thursday.
        let shift = Int64(offset) * 1_000_000 + 3 * Timestamp.microsecondsPerDay
        for slot in hours.indices {
            func shown(until instant: Timestamp) -> Int64 {
                let local = instant.microseconds + shift
                let weeks = floorQuotient(local, by: Self.week)
                let rest = local - weeks * Self.week - Int64(slot) * Self.hour
                return weeks * Self.hour + min(max(rest, 0), Self.hour)
            }
            hours[slot] += shown(until: end) - shown(until: start)
        }
    }

    /// - Parameters:
    ///   - weekday: from Monday; nil for any.
    ///   - hour: nil for any.
    ///   - countsHours: whether hours are counted. Otherwise days are.
    /// - Returns: millionths of hours or days.
    func millionths(weekday: Int?, hour: Int?, countsHours: Bool) -> Int128 {
        let weekdays = weekday.map { $0...$0 } ?? 0...6
        guard countsHours else { return days[weekdays].reduce(0, +) }
        let shown = weekdays.flatMap { day in (hour.map { $0...$0 } ?? 0...23).map { hours[day * 24 + $0] } }
        let sum = shown.reduce(0) { $0 + Int128($1) }
        return roundedQuotient(sum * 1_000_000, by: Int128(Self.hour))
    }
}

extension ReportTimeZone {
    /// The first instant after one, and before another, at which clocks are changed; nil if there is none.
    func change(after start: Timestamp, before end: Timestamp) -> Timestamp? {
        let offset = secondsFromUTC(at: start)
        var known = start
        while known < end {
            // No zone changes its offset twice within two days.
            let next = min(end, known.advanced(by: .seconds(86_400)))
            if secondsFromUTC(at: next) != offset {
                var low = floorQuotient(known.microseconds, by: 1_000_000)
                var high = floorQuotient(next.microseconds, by: 1_000_000)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    let isSame = secondsFromUTC(at: Timestamp(microseconds: middle * 1_000_000)) == offset
                    if isSame { low = middle } else { high = middle }
                }
                let change = Timestamp(microseconds: high * 1_000_000)
                return change < end ? change : nil
            }
            known = next
        }
        return nil
    }
}
