import Text

/// A text with all percent-encodings, JSON escapes, entities of HTML and full-width letters removed, however deep, in
/// one pass. Each byte knows its place in the raw text. Secrets are searched here, because no encoding can hide a name
/// here.
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
            if count >= 6, units[count - 5].byte | 0x20 == UInt8(ascii: "u"),
                units[count - 6].byte == UInt8(ascii: "\\") || units[count - 6].byte == UInt8(ascii: "%")
            {
                var scalar = 0
                for unit in units[(count - 4)...] {
                    guard let digit = unit.byte.hexadecimalValue else { return false }
                    scalar = scalar << 4 | Int(digit)
                }
                return replaceLast(6, by: Self.plain(UInt32(scalar)))
            }
            return false
        }
        if last.byte >= 0x80 { return reduceCharacter() }
        if last.byte == UInt8(ascii: ";") { return reduceEntity() }
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

    /// The ASCII character that a character outside of ASCII is in a name: a full-width letter is a letter, and an
    /// invisible character counts as a control character. 0xFF if it is neither a part of a name nor a delimiter.
    private static func plain(_ scalar: UInt32) -> UInt8 {
        switch scalar {
        case 0..<0x80: return UInt8(scalar)
        case 0xFF01...0xFF5E:
            let byte = UInt8(scalar - 0xFEE0)
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "="),
                UInt8(ascii: ":"):
                return byte
            default: return byte.isASCIILetter || byte.isASCIIDigit ? byte : 0xFF
            }
        default: return InvisibleText.isInvisible(scalar) && scalar != 0xA0 && scalar != 0x3000 ? 1 : 0xFF
        }
    }

    /// Replaces a full-width or invisible character that has come as UTF-8.
    private mutating func reduceCharacter() -> Bool {
        let count = units.count
        let last = UInt32(units[count - 1].byte)
        guard last & 0xC0 == 0x80, count >= 2 else { return false }
        if units[count - 2].byte == 0xC2 {
            guard last < 0xA0 || last == 0xAD else { return false }
            return replaceLast(2, by: 1)
        }
        guard count >= 3 else { return false }
        let first = UInt32(units[count - 3].byte)
        guard first == 0xEF || first == 0xE2, units[count - 2].byte & 0xC0 == 0x80 else { return false }
        let byte = Self.plain((first & 0x0F) << 12 | UInt32(units[count - 2].byte & 0x3F) << 6 | (last & 0x3F))
        return byte == 0xFF ? false : replaceLast(3, by: byte)
    }

    /// Replaces `&#95;`, `&#x5f;` and `&lowbar;`, and the entities of quotes and separators. `&amp;` stays: its `&`
    /// ends a parameter.
    private mutating func reduceEntity() -> Bool {
        let end = units.count - 1
        var start = end - 1
        var nameStart: Int?
        while start >= 0, end - start <= 10 {
            let byte = units[start].byte
            if byte == UInt8(ascii: "&") { break }
            // An entity that was escaped again: `&amp;#95;`.
            if byte == UInt8(ascii: ";"), start >= 4, units[start - 4].byte == UInt8(ascii: "&"),
                units[(start - 3)..<start].elementsEqual("amp".utf8, by: { $0.byte == $1 })
            {
                nameStart = start + 1
                start -= 4
                break
            }
            guard byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "#") else { return false }
            start -= 1
        }
        guard start >= 0, units[start].byte == UInt8(ascii: "&") else { return false }
        var name = units[(nameStart ?? start + 1)..<end].map(\.byte)
        guard name.count >= 2 else { return false }
        let byte: UInt8
        if name[0] == UInt8(ascii: "#") {
            name.removeFirst()
            let isHexadecimal = name.first.map { $0 | 0x20 } == UInt8(ascii: "x")
            if isHexadecimal { name.removeFirst() }
            guard let scalar = UInt32(String(decoding: name, as: UTF8.self), radix: isHexadecimal ? 16 : 10) else {
                return false
            }
            byte = Self.plain(scalar)
            if byte == 0xFF || byte == UInt8(ascii: "&") { return false }
        } else {
            switch String(decoding: name, as: UTF8.self) {
            case "lowbar", "UnderBar": byte = UInt8(ascii: "_")
            case "hyphen", "dash": byte = UInt8(ascii: "-")
            case "lsqb", "lbrack": byte = UInt8(ascii: "[")
            case "rsqb", "rbrack": byte = UInt8(ascii: "]")
            case "quot", "QUOT": byte = UInt8(ascii: "\"")
            case "apos": byte = UInt8(ascii: "'")
            case "equals": byte = UInt8(ascii: "=")
            case "colon": byte = UInt8(ascii: ":")
            case "commat": byte = UInt8(ascii: "@")
            case "period": byte = UInt8(ascii: ".")
            case "shy", "ZeroWidthSpace": byte = 1
            default: return false
            }
        }
        return replaceLast(end - start + 1, by: byte)
    }

    private mutating func replaceLast(_ count: Int, by byte: UInt8) -> Bool {
        // By index: a slice would make each removal copy the array.
        let first = units.count - count
        let last = units[units.count - 1]
        var level = last.level
        for index in first..<units.count - 1 { level = max(level, units[index].level) }
        units[first] = Unit(
            byte: byte,
            level: level == .max ? level : level + 1,
            start: units[first].start,
            end: last.end
        )
        units.removeLast(count - 1)
        return true
    }
}
