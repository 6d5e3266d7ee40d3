/// A format with the directives of `strptime`, such as `%d.%m.%Y %H:%M`.
package struct TimePattern: Equatable, Sendable {
    private enum Part: Equatable, Sendable {
        case byte(UInt8)
        case year, shortYear, month, monthName, day, hour, hour12, minute, second, fraction, half, offset, weekday
    }

    /// For messages.
    static let directives = "%Y %y %m %b %d %H %I %p %M %S %f %z %a %%"
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The pattern as the mapping spells it.
    let text: String
    private let parts: [Part]

    /// - Returns: nil if a directive is unknown or the pattern has no whole date.
    init?(_ format: String) {
        var parts: [Part] = []
        var bytes = format.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                parts.append(.byte(byte))
                continue
            }
            guard let directive = bytes.next() else { return nil }
            switch directive {
            case UInt8(ascii: "Y"): parts.append(.year)
            case UInt8(ascii: "y"): parts.append(.shortYear)
            case UInt8(ascii: "m"): parts.append(.month)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): parts.append(.monthName)
            case UInt8(ascii: "d"): parts.append(.day)
            case UInt8(ascii: "H"): parts.append(.hour)
            case UInt8(ascii: "I"): parts.append(.hour12)
            case UInt8(ascii: "p"): parts.append(.half)
            case UInt8(ascii: "M"): parts.append(.minute)
            case UInt8(ascii: "S"): parts.append(.second)
            case UInt8(ascii: "f"): parts.append(.fraction)
            case UInt8(ascii: "z"), UInt8(ascii: "Z"): parts.append(.offset)
            case UInt8(ascii: "a"), UInt8(ascii: "A"): parts.append(.weekday)
            case UInt8(ascii: "%"): parts.append(.byte(directive))
            default: return nil
            }
        }
        guard parts.contains(.year) || parts.contains(.shortYear), parts.contains(.day),
            parts.contains(.month) || parts.contains(.monthName), parts.contains(.hour12) == parts.contains(.half)
        else { return nil }
        self.parts = parts
        text = format
    }

    var hasOffset: Bool { parts.contains(.offset) }

    /// Nil if the text does not have this format.
    func read(_ text: ArraySlice<UInt8>) -> LocalTime? {
        var scanner = TimeScanner(text)
        var time = LocalTime()
        var isAfternoon: Bool?
        for part in parts {
            switch part {
            case .byte(let byte):
                guard scanner.skip(byte) else { return nil }
            case .year:
                guard let number = scanner.number(digits: 4...4) else { return nil }
                time.year = number
            case .shortYear:
                // As in POSIX, 69 to 99 are 1969 to 1999.
                guard let number = scanner.number(digits: 2...2) else { return nil }
                time.year = number + (number >= 69 ? 1900 : 2000)
            case .month:
                guard let number = scanner.number(digits: 1...2) else { return nil }
                time.month = number
            case .monthName:
                guard let index = Self.index(of: scanner.word(), in: Self.months) else { return nil }
                time.month = index + 1
            case .weekday:
                guard Self.index(of: scanner.word(), in: Self.weekdays) != nil else { return nil }
            case .day:
                guard let number = scanner.number(digits: 1...2) else { return nil }
                time.day = number
            case .hour:
                guard let number = scanner.number(digits: 1...2) else { return nil }
                time.hour = number
            case .hour12:
                guard let number = scanner.number(digits: 1...2), 1...12 ~= number else { return nil }
                time.hour = number % 12
            case .half:
                guard let word = scanner.word(), word == "am" || word == "pm" else { return nil }
                isAfternoon = word == "pm"
            case .minute:
                guard let number = scanner.number(digits: 1...2) else { return nil }
                time.minute = number
            case .second:
                guard let number = scanner.number(digits: 1...2) else { return nil }
                time.second = number
            case .fraction:
                guard let number = scanner.microseconds() else { return nil }
                time.microsecond = number
            case .offset:
                guard let offset = scanner.offset() else { return nil }
                time.offset = offset
            }
        }
        guard scanner.isAtEnd else { return nil }
        if isAfternoon == true { time.hour += 12 }
        return time
    }

    /// The position of a name that the word spells, whole or with its first three letters.
    private static func index(of word: String?, in names: [String]) -> Int? {
        guard let word else { return nil }
        return names.firstIndex { $0 == word || $0.prefix(3) == word }
    }
}
