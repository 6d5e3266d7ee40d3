import Time

/// A date and a time of day.
struct LocalTime {
    var year = 0
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var microsecond = 0
    /// Seconds ahead of UTC; nil if the text has no offset.
    var offset: Int?

    /// Nil for a date or a time that does not exist, or without an offset and a zone.
    func instant(in zone: inout LocalZone?) -> Timestamp? {
        guard
            let asUTC = Timestamp(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second,
                microsecond: microsecond
            )
        else { return nil }
        if let offset { return asUTC.advanced(by: .seconds(-offset)) }
        return zone?.instant(at: asUTC)
    }
}
