import Time

/// The days of many instants. Asks the time zone twice for each UTC day, not once for each instant.
struct DayFinder {
    private let zone: ReportTimeZone
    /// By UTC day, from `first` on: the offset from UTC in seconds, `unknown`, or `changing`. Folds ask for each event,
    /// so this is no dictionary: hashing took a tenth of `retention`.
    private var offsets: [Int32] = []
    private var first: Int64 = 0

    private static let unknown = Int32.max
    /// The clocks change during the day.
    private static let changing = Int32.max - 1
    /// Some 180 years. Days further away are asked for each time.
    private static let limit: Int64 = 65_536
    private static let dayLength: Int64 = 86_400_000_000

    init(zone: ReportTimeZone) {
        self.zone = zone
    }

    mutating func day(of instant: Timestamp) -> CivilDate {
        let utcDay = floorQuotient(instant.microseconds, by: Self.dayLength)
        let offset = offset(of: utcDay)
        guard offset != Self.changing else { return zone.day(of: instant) }
        // No offset is a whole day.
        let time = instant.microseconds - utcDay * Self.dayLength + Int64(offset) * 1_000_000
        return CivilDate(number: Int(time < 0 ? utcDay - 1 : time < Self.dayLength ? utcDay : utcDay + 1))
    }

    /// The hour of the day, 0–23, as clocks show it.
    mutating func hour(of instant: Timestamp) -> Int {
        let utcDay = floorQuotient(instant.microseconds, by: Self.dayLength)
        var offset = Int64(offset(of: utcDay))
        if offset == Self.changing { offset = Int64(zone.secondsFromUTC(at: instant)) }
        let hours = floorQuotient(instant.microseconds + offset * 1_000_000, by: 3_600_000_000)
        return Int(hours - floorQuotient(hours, by: 24) * 24)
    }

    @inline(__always)
    private mutating func offset(of utcDay: Int64) -> Int32 {
        let place = utcDay - first
        if place >= 0, place < offsets.count, offsets[Int(place)] != Self.unknown { return offsets[Int(place)] }
        return readOffset(of: utcDay)
    }

    @inline(never)
    private mutating func readOffset(of utcDay: Int64) -> Int32 {
        let start = zone.secondsFromUTC(at: Timestamp(microseconds: utcDay * Self.dayLength))
        let end = zone.secondsFromUTC(at: Timestamp(microseconds: (utcDay + 1) * Self.dayLength - 1))
        let offset = start == end ? Int32(start) : Self.changing
        if offsets.isEmpty { first = utcDay }
        let (before, after) = (max(0, first - utcDay), max(0, utcDay - first + 1 - Int64(offsets.count)))
        guard Int64(offsets.count) + before + after <= Self.limit else { return offset }
        offsets.insert(contentsOf: repeatElement(Self.unknown, count: Int(before)), at: 0)
        offsets.append(contentsOf: repeatElement(Self.unknown, count: Int(after)))
        first -= before
        offsets[Int(utcDay - first)] = offset
        return offset
    }
}
