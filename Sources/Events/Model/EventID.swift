import Text

/// A UUID (RFC 9562), kept as two words so that it compares like its text and costs no allocation.
@usableFromInline
package struct EventID: Hashable, Comparable, Sendable {
    @usableFromInline package var high: UInt64
    @usableFromInline package var low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Whether this is the nil or the max UUID (RFC 9562 sections 5.9 and 5.10), which identify no event.
    package var isReserved: Bool {
        (high == 0 && low == 0) || (high == .max && low == .max)
    }

    @inlinable
    package static func == (first: EventID, second: EventID) -> Bool {
        first.high == second.high && first.low == second.low
    }

    @inlinable
    package static func < (first: EventID, second: EventID) -> Bool {
        first.high == second.high ? first.low < second.low : first.high < second.high
    }
}

extension EventID {
    /// The id that a sender probably meant by a text that is not one: a UUID in braces, as a URN, or without hyphens.
    static func meant(by text: String) -> EventID? {
        let plain = text.hasPrefix("urn:uuid:") ? text.dropFirst("urn:uuid:".count) : text[...]
        let digits = plain.filter { !"{}-".contains($0) }
        guard text.utf8.count <= 64, digits.utf8.count == 32, digits.utf8.allSatisfy({ $0.hexadecimalValue != nil })
        else { return nil }
        var spelling = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { spelling.append("-") }
            spelling.append(digit)
        }
        return EventID(spelling)
    }
}

extension EventID: LosslessStringConvertible {
    /// Reads a UUID of any version: 8-4-4-4-12 hexadecimal digits of any case, with hyphens. Nil for any other text.
    @usableFromInline
    package init?(_ text: String) {
        var text = text
        let words = text.withUTF8 { bytes -> (UInt64, UInt64)? in
            let hyphen = UInt8(ascii: "-")
            guard bytes.count == Self.textCount, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen,
                bytes[23] == hyphen
            else { return nil }
            var isHexadecimal = true
            func number(_ positions: Range<Int>) -> UInt64 {
                var number: UInt64 = 0
                for position in positions {
                    let digit = bytes[position] &- UInt8(ascii: "0")
                    let letter = (bytes[position] | 0x20) &- UInt8(ascii: "a")
                    // No branch for each digit, because the processor cannot predict letters and digits.
                    isHexadecimal = isHexadecimal && (digit < 10 || letter < 6)
                    number = number << 4 | UInt64(digit < 10 ? digit : letter &+ 10)
                }
                return number
            }
            let high = number(0..<8) << 32 | number(9..<13) << 16 | number(14..<18)
            let low = number(19..<23) << 48 | number(24..<36)
            return isHexadecimal ? (high, low) : nil
        }
        guard let words else { return nil }
        self.init(high: words.0, low: words.1)
    }

    /// The spelling of RFC 9562: lower case, with hyphens.
    @usableFromInline
    package var description: String {
        String(unsafeUninitializedCapacity: Self.textCount, initializingUTF8With: write)
    }

    /// How many bytes the spelling has.
    package static let textCount = 36

    /// Writes the spelling as UTF-8.
    ///
    /// - Parameter text: has room for at least ``textCount`` bytes.
    /// - Returns: ``textCount``.
    package func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var position = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                text[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(nibble & 15)) & 15)
            text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            position += 1
        }
        return position
    }
}
