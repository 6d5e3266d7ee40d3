import Time

/// Takes the parts of a time from a text, from left to right. Each function returns nil or false if the part is
/// missing.
struct TimeScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func skipBlanks() {
        while next == 0x20 { position += 1 }
    }

    /// A number with a number of digits in this range.
    mutating func number(digits: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while count < digits.upperBound, let byte = next, let digit = byte.digit {
            value = value * 10 + digit
            count += 1
            position += 1
        }
        return digits.contains(count) ? value : nil
    }

    /// The digits of a fraction of a second, as microseconds. Digits after the sixth are cut off.
    mutating func microseconds() -> Int? {
        var value = 0
        var unit = 100_000
        var count = 0
        while let digit = next?.digit {
            value += digit * unit
            unit /= 10
            count += 1
            position += 1
        }
        return count > 0 ? value : nil
    }

    /// `Z`, `UTC`, `GMT`, `±hh:mm`, `±hhmm` or `±hh`, in seconds.
    mutating func offset() -> Int? {
        if let word = word() {
            return ["z", "utc", "gmt"].contains(word) ? 0 : nil
        }
        let isWest = next == UInt8(ascii: "-")
        guard isWest || next == UInt8(ascii: "+") else { return nil }
        position += 1
        guard let hours = number(digits: 2...2), hours <= 23 else { return nil }
        let hasColon = skip(UInt8(ascii: ":"))
        var minutes = 0
        if hasColon || next?.digit != nil {
            guard let number = number(digits: 2...2), number <= 59 else { return nil }
            minutes = number
        }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    /// The next letters, in lower case; nil if there are none.
    mutating func word() -> String? {
        let start = position
        while let byte = next, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position].map { $0 | 0x20 }, as: UTF8.self) : nil
    }
}

extension UInt8 {
    /// 0 to 9.
    var digit: Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
    }
}
