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

    /// The hour of the day, 0–23, as clocks show it.
    mutating func hour(of instant: Timestamp) -> Int {
        let utcDay = floorQuotient(instant.microseconds, by: Self.dayLength)
        let offset = offset(of: utcDay) ?? Int64(zone.secondsFromUTC(at: instant)) * 1_000_000
        let hours = floorQuotient(instant.microseconds + offset, by: 3_600_000_000)
        return Int(hours - floorQuotient(hours, by: 24) * 24)
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
