import InboundLinks
import Time

/// Reads the times of a column.
struct TimeReader {
    private let format: TimeFormat
    private var zone: LocalZone?

    init(format: TimeFormat, zone: LocalZone?) {
        self.format = format
        self.zone = zone
    }

    /// Nil if the text is not a time in this format.
    mutating func read(_ text: ArraySlice<UInt8>) -> Timestamp? {
        let time: Timestamp?
        switch format {
        case .dateTime: time = Self.dateTime(text)?.instant(in: &zone)
        case .unix(let unit): time = Self.unix(text, microsecondsPerUnit: unit)
        case .pattern(let pattern): time = pattern.read(text)?.instant(in: &zone)
        }
        guard let time, Timestamp.spellable.contains(time) else { return nil }
        return time
    }

    private static func dateTime(_ text: ArraySlice<UInt8>) -> LocalTime? {
        var scanner = TimeScanner(text)
        var time = LocalTime()
        guard let year = scanner.number(digits: 4...4), scanner.skip(UInt8(ascii: "-")),
            let month = scanner.number(digits: 2...2), scanner.skip(UInt8(ascii: "-")),
            let day = scanner.number(digits: 2...2)
        else { return nil }
        (time.year, time.month, time.day) = (year, month, day)
        if scanner.isAtEnd { return time }
        guard scanner.skip(UInt8(ascii: "T")) || scanner.skip(UInt8(ascii: "t")) || scanner.skip(0x20) else {
            return nil
        }
        guard let hour = scanner.number(digits: 2...2), scanner.skip(UInt8(ascii: ":")),
            let minute = scanner.number(digits: 2...2)
        else { return nil }
        (time.hour, time.minute) = (hour, minute)
        if scanner.skip(UInt8(ascii: ":")) {
            guard let second = scanner.number(digits: 2...2) else { return nil }
            time.second = second
            if scanner.skip(UInt8(ascii: ".")) || scanner.skip(UInt8(ascii: ",")) {
                guard let microsecond = scanner.microseconds() else { return nil }
                time.microsecond = microsecond
            }
        }
        scanner.skipBlanks()
        if scanner.isAtEnd { return time }
        time.offset = scanner.offset()
        return time.offset != nil && scanner.isAtEnd ? time : nil
    }

    private static func unix(_ text: ArraySlice<UInt8>, microsecondsPerUnit unit: Int64) -> Timestamp? {
        let isNegative = text.first == UInt8(ascii: "-")
        var units: Int64 = 0
        var fraction: Int64 = 0
        var place = unit
        var hasPoint = false
        var digits = 0
        for byte in text.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
                hasPoint = true
                digits = 0
                continue
            }
            guard let digit = byte.digit else { return nil }
            digits += 1
            if hasPoint {
                place /= 10
                fraction += Int64(digit) * place
            } else {
                guard digits <= 18 else { return nil }
                units = units * 10 + Int64(digit)
            }
        }
        guard digits > 0 else { return nil }
        let (product, overflow) = units.multipliedReportingOverflow(by: unit)
        let (sum, overflowToo) = product.addingReportingOverflow(fraction)
        guard !overflow, !overflowToo else { return nil }
        return Timestamp(microseconds: isNegative ? -sum : sum)
    }
}
