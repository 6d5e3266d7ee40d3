import Text

extension Timestamp {
    /// Reads an RFC 3339 date and time, such as `2024-02-29T23:59:60.123456+01:00`.
    ///
    /// The offset is required; `+0100`, as `strftime` and Facebook write it, is one. Digits after the microsecond are
    /// cut off. A leap second is valid only at 23:59:60 UTC; it becomes the second after it, as in POSIX. Nil for any
    /// other text, and for years outside of 0001–9999 in UTC.
    package init?(rfc3339 text: String) {
        let parsed = text.utf8.withContiguousStorageIfAvailable { Self.microseconds(of: $0) }
        guard let microseconds = parsed ?? Array(text.utf8).withUnsafeBufferPointer({ Self.microseconds(of: $0) })
        else { return nil }
        self.init(microseconds: microseconds)
    }

    /// RFC 3339 in UTC with `Z`. It has six decimals if the microseconds are not zero, else none.
    package var rfc3339: String {
        String(unsafeUninitializedCapacity: Self.rfc3339Capacity, initializingUTF8With: writeRFC3339)
    }

    /// The longest text: `-290308-12-21T19:59:05.224192Z`.
    package static let rfc3339Capacity = 30

    /// Writes ``rfc3339`` as UTF-8.
    ///
    /// - Parameter text: has room for at least ``rfc3339Capacity`` bytes.
    /// - Returns: how many bytes were written.
    package func writeRFC3339(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let day = date
        let (year, month, dayOfMonth) = day.components
        // Wraps, because the day of the first timestamp begins before it.
        let timeOfDay = microseconds &- Timestamp(startOf: day).microseconds
        let (second, microsecond) = timeOfDay.quotientAndRemainder(dividingBy: 1_000_000)
        var count = 0
        func append(_ character: Unicode.Scalar) {
            text[count] = UInt8(ascii: character)
            count += 1
        }
        func append(_ value: Int64, digits: Int) {
            var rest = value
            for position in stride(from: count + digits - 1, through: count, by: -1) {
                text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count += digits
        }
        if year < 0 { append("-") }
        append(Int64(year.magnitude), digits: year.magnitude > 99_999 ? 6 : year.magnitude > 9999 ? 5 : 4)
        append("-")
        append(Int64(month), digits: 2)
        append("-")
        append(Int64(dayOfMonth), digits: 2)
        append("T")
        append(second / 3600, digits: 2)
        append(":")
        append(second / 60 % 60, digits: 2)
        append(":")
        append(second % 60, digits: 2)
        if microsecond != 0 {
            append(".")
            append(microsecond, digits: 6)
        }
        append("Z")
        return count
    }

    /// A date and a time of day in UTC. Nil for one that does not exist, and for years outside of 1–9999.
    package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int = 0) {
        guard let date = CivilDate(year: year, month: month, day: day),
            0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999_999 ~= microsecond
        else { return nil }
        let seconds = Int64(date.number) * 86_400 + Int64((hour * 60 + minute) * 60 + second)
        self.init(microseconds: seconds * 1_000_000 + Int64(microsecond))
    }

    /// The timestamps that RFC 3339 can spell: the years 1–9999, in UTC.
    package static let spellable =
        Timestamp(microseconds: range.lowerBound)...Timestamp(microseconds: range.upperBound)

    /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    private static func microseconds(of bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        // The shortest is `2024-02-29T23:59:59Z`.
        guard bytes.count >= 20,
            let year = number(bytes, 0..<4), bytes[4] == UInt8(ascii: "-"),
            let month = number(bytes, 5..<7), bytes[7] == UInt8(ascii: "-"),
            let day = number(bytes, 8..<10),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let hour = number(bytes, 11..<13), bytes[13] == UInt8(ascii: ":"),
            let minute = number(bytes, 14..<16), bytes[16] == UInt8(ascii: ":"),
            let second = number(bytes, 17..<19),
            let date = CivilDate(year: Int(year), month: Int(month), day: Int(day)),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }

        var index = 19
        var fraction: Int64 = 0
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            var unit: Int64 = 100_000
            while index < bytes.count, bytes[index].isASCIIDigit {
                fraction += Int64(bytes[index] - UInt8(ascii: "0")) * unit
                unit /= 10
                index += 1
            }
            guard index > start, index < bytes.count else { return nil }
        }
        guard let offset = offset(bytes, from: index) else { return nil }
        let minutes = (Int64(date.number) * 24 + hour) * 60 + minute - offset
        if second == 60, minutes - floorQuotient(minutes, by: 24 * 60) * 24 * 60 != 24 * 60 - 1 { return nil }
        let microseconds = (minutes * 60 + second) * 1_000_000 + fraction
        return range.contains(microseconds) ? microseconds : nil
    }

    /// `Z`, `±hh:mm` or `±hhmm` at the end of the text, in minutes.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int64? {
        switch bytes[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            return bytes.count == index + 1 ? 0 : nil
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard bytes.count >= index + 5, let hours = number(bytes, index + 1..<index + 3), hours <= 23 else {
                return nil
            }
            let start = index + (bytes[index + 3] == UInt8(ascii: ":") ? 4 : 3)
            guard bytes.count == start + 2, let minutes = number(bytes, start..<start + 2), minutes <= 59 else {
                return nil
            }
            let offset = hours * 60 + minutes
            return bytes[index] == UInt8(ascii: "-") ? -offset : offset
        default:
            return nil
        }
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            guard bytes[index].isASCIIDigit else { return nil }
            value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
        }
        return value
    }
}
