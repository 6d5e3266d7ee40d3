import Text
import Time

/// Names what is wrong with a time that could not be read.
enum TimeMistake {
    private static let example = "2026-01-31T12:00:00Z"

    /// A time that is a JSON number.
    static func number(_ field: EventField, _ spelling: String?) -> EventFault {
        EventFault(
            .invalidType,
            field,
            "\(field.key) must be a string with an RFC 3339 time; found a number: \(advice(spelling ?? ""))"
        )
    }

    private static func advice(_ number: String) -> String {
        guard let (time, unit) = sinceEpoch(number) else {
            return "write seconds since 1970 as a time such as \(example)"
        }
        return "it looks like \(unit) since 1970, so write \(time.rfc3339)"
    }

    /// From 1990 to 2100, no number can be two of these.
    private static let units = [
        (name: "seconds", perSecond: Int64(1)), (name: "milliseconds", perSecond: 1_000),
        (name: "microseconds", perSecond: 1_000_000), (name: "nanoseconds", perSecond: 1_000_000_000),
    ]
    private static let plausibleSeconds: Range<Int64> = 631_152_000..<4_102_444_800

    /// - Parameter number: digits, perhaps with a point and further digits.
    private static func sinceEpoch(_ number: String) -> (Timestamp, unit: String)? {
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }),
            let unit = units.first(where: { plausibleSeconds.contains(whole / $0.perSecond) })
        else { return nil }
        let (second, rest) = whole.quotientAndRemainder(dividingBy: unit.perSecond)
        var microseconds = rest * 1_000_000 / unit.perSecond
        if unit.perSecond == 1, parts.count > 1 {
            let digits = parts[1].prefix(6)
            microseconds = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
        }
        return (Timestamp(microseconds: second * 1_000_000 + microseconds), unit.name)
    }

    /// - Parameter text: not an RFC 3339 time.
    static func fault(of text: String, _ field: EventField) -> EventFault {
        EventFault(.invalidValue, field, "\(field.key) \(reason(Array(text.utf8.prefix(65))))")
    }

    private static func reason(_ text: [UInt8]) -> String {
        if !text.isEmpty, text.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }),
            text.dropFirst().allSatisfy({ $0 != UInt8(ascii: "-") })
        {
            return
                "must be an RFC 3339 time; found a number in quotes: \(advice(String(decoding: text, as: UTF8.self)))"
        }
        if weekdays.contains(String(decoding: text.prefix(3), as: UTF8.self)) {
            return "must be an RFC 3339 time; found a date in words: in JavaScript, send date.toISOString()"
        }
        let general = "must be an RFC 3339 time with an offset, such as 2026-01-31T12:00:00.000000Z"
        guard text.count <= 64, matches(text.prefix(10), "0000-00-00"), let year = number(text[..<4]),
            let month = number(text[5..<7]),
            let day = number(text[8..<10])
        else { return general }
        if CivilDate(year: year, month: month, day: day) == nil {
            return "has a day that does not exist; check its year, month and day"
        }
        if text.count == 10 { return "has no time of day; write it like \(example)" }
        guard text.count >= 19, matches(text[11..<19], "00:00:00"), let hour = number(text[11..<13]),
            let minute = number(text[14..<16]), let second = number(text[17..<19])
        else { return general }
        // A leap second is a 60th second that exists only sometimes.
        if hour > 23 || minute > 59 || second > 59 {
            return "has a time of day that does not exist; hours go to 23, minutes and seconds to 59"
        }
        let rest = text[19...].drop { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        return rest.isEmpty ? "has no offset; add Z if it is UTC, else an offset such as +01:00" : general
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Whether the text has the shape: a digit for each `0`, every other character as it is.
    private static func matches(_ text: ArraySlice<UInt8>, _ shape: StaticString) -> Bool {
        shape.withUTF8Buffer { shape in
            text.count == shape.count
                && zip(text, shape).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isASCIIDigit : $0 == $1 }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self))
    }
}
