import Time

/// The days of many instants. Asks the time zone twice for each UTC day, not once for each instant.
struct DayFinder {
    private let zone: ReportTimeZone
    /// By UTC day: the offset from UTC in microseconds; nil if the clocks change during that day.
    private var offsets: [Int64: Int64?] = [:]
    private static let dayLength: Int64 = 86_400_000_000

    init(zone: ReportTimeZone) {
        self.zone = zone
    }

    mutating func day(of instant: Timestamp) -> CivilDate {
        let utcDay = floorQuotient(instant.microseconds, by: Self.dayLength)
        guard let offset = offset(of: utcDay) else { return zone.day(of: instant) }
        return CivilDate(number: Int(floorQuotient(instant.microseconds + offset, by: Self.dayLength)))
    }

    private mutating func offset(of utcDay: Int64) -> Int64? {
        if let known = offsets[utcDay] { return known }
        let start = zone.secondsFromUTC(at: Timestamp(microseconds: utcDay * Self.dayLength))
        let end = zone.secondsFromUTC(at: Timestamp(microseconds: (utcDay + 1) * Self.dayLength - 1))
        let offset = start == end ? Int64(start) * 1_000_000 : nil
        offsets[utcDay] = .some(offset)
        return offset
    }
}
