import Text

/// A text with all percent-encodings and JSON escapes removed, however deep, in one pass. Each byte knows its place in
/// the raw text. Secrets are searched here, because no encoding can hide a name here.
///
/// The *level* of a byte is how many decodings it took. It tells nested texts apart: the `&` that ends a parameter has
/// at most the level of the parameter's `=`. An `&` of a higher level belongs to the value.
struct CollapsedText {
    struct Unit {
        var byte: UInt8
        var level: UInt8
        /// The range of the byte's spelling in the raw text, with `end`.
        var start: Int32
        var end: Int32

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    private(set) var units: [Unit] = []

    init(_ raw: [UInt8]) {
        units.reserveCapacity(raw.count)
        for index in raw.indices {
            push(Unit(byte: raw[index], level: 0, start: Int32(index), end: Int32(index + 1)))
        }
    }

    /// Each reduction removes at least one unit, so the total time is linear.
    private mutating func push(_ unit: Unit) {
        units.append(unit)
        while reduceLast() {}
    }

    private mutating func reduceLast() -> Bool {
        let count = units.count
        guard let last = units.last else { return false }
        if let low = last.byte.hexadecimalValue {
            if count >= 3, units[count - 3].byte == UInt8(ascii: "%"),
                let high = units[count - 2].byte.hexadecimalValue
            {
                return replaceLast(3, by: high << 4 | low)
            }
            if count >= 6, units[count - 5].byte == UInt8(ascii: "u"), units[count - 6].byte == UInt8(ascii: "\\") {
                var scalar = 0
                for unit in units[(count - 4)...] {
                    guard let digit = unit.byte.hexadecimalValue else { return false }
                    scalar = scalar << 4 | Int(digit)
                }
                // A character outside of ASCII is never part of a name, nor a delimiter.
                return replaceLast(6, by: scalar < 0x80 ? UInt8(scalar) : 0xFF)
            }
            return false
        }
        guard count >= 2, units[count - 2].byte == UInt8(ascii: "\\") else { return false }
        switch last.byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            // `\\"` is an escaped backslash, then the quote that ends the string. An escaped byte has at least the
            // level of the backslash before it.
            if last.level >= units[count - 2].level { return replaceLast(2, by: last.byte) }
        case UInt8(ascii: "/"):
            return replaceLast(2, by: last.byte)
        default:
            break
        }
        return false
    }

    private mutating func replaceLast(_ count: Int, by byte: UInt8) -> Bool {
        let parts = units[(units.count - count)...]
        let level = parts.reduce(0) { max($0, $1.level) }
        let unit = Unit(
            byte: byte,
            level: level == .max ? level : level + 1,
            start: parts[parts.startIndex].start,
            end: parts[parts.endIndex - 1].end
        )
        units.removeLast(count)
        units.append(unit)
        return true
    }
}
