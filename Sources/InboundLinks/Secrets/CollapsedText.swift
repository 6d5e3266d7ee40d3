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
            units.append(Unit(byte: raw[index], level: 0, start: Int32(index), end: Int32(index + 1)))
            // Each reduction removes at least one unit, so the total time is linear.
            while reduceLast() {}
        }
    }

    private mutating func reduceLast() -> Bool {
        let count = units.count
        let last = units[count - 1]
        if let low = last.byte.hexadecimalValue {
            if count >= 3, units[count - 3].byte == "%", let high = units[count - 2].byte.hexadecimalValue {
                return replaceLast(3, by: high << 4 | low)
            }
            guard count >= 6, units[count - 5].byte | 0x20 == "u",
                units.has("\\", at: count - 6) || units.has("%", at: count - 6)
            else { return false }
            let digits = units[(count - 4)...].compactMap(\.byte.hexadecimalValue)
            return digits.count == 4 && replaceLast(6, by: Self.plain(digits.reduce(0) { $0 << 4 | UInt32($1) }))
        }
        if last.byte >= 0x80 { return reduceCharacter() }
        if last.byte == ";" { return reduceEntity() }
        guard count >= 2, units[count - 2].byte == "\\" else { return false }
        // `\\"` is an escaped backslash, then the quote that ends the string. An escaped byte has at least the level of
        // the backslash before it.
        let isEscaped = (last.byte == "\"" || last.byte == "\\") && last.level >= units[count - 2].level
        return (isEscaped || last.byte == "/") && replaceLast(2, by: last.byte)
    }

    /// An escaped U+00A0 or U+3000. It separates words, but may stand in a password.
    static let wideBlank: UInt8 = 0xA0

    /// The ASCII character that a character is in a name: a full-width letter is a letter, and an invisible character
    /// counts as a control character. 0xFF if it is neither a part of a name nor a delimiter.
    private static func plain(_ scalar: UInt32) -> UInt8 {
        if scalar < 0x80 { return UInt8(scalar) }
        if 0xFF01...0xFF5E ~= scalar {
            let byte = UInt8(scalar - 0xFEE0)
            let isPart = byte.isASCIILetter || byte.isASCIIDigit || SecretName.isIgnored(byte)
            return isPart || byte == "=" || byte == ":" ? byte : 0xFF
        }
        if scalar == 0xA0 || scalar == 0x3000 { return wideBlank }
        return InvisibleText.isInvisible(scalar) ? 1 : 0xFF
    }

    /// Replaces a full-width or invisible character that has come as UTF-8.
    private mutating func reduceCharacter() -> Bool {
        let count = units.count
        let last = UInt32(units[count - 1].byte)
        guard last & 0xC0 == 0x80, count >= 2 else { return false }
        if units[count - 2].byte == 0xC2 { return (last < 0xA0 || last == 0xAD) && replaceLast(2, by: 1) }
        guard count >= 3, units[count - 3].byte == 0xEF || units[count - 3].byte == 0xE2,
            units[count - 2].byte & 0xC0 == 0x80
        else { return false }
        let high = UInt32(units[count - 3].byte & 0x0F) << 12 | UInt32(units[count - 2].byte & 0x3F) << 6
        let byte = Self.plain(high | last & 0x3F)
        return byte != 0xFF && replaceLast(3, by: byte)
    }

    /// The entities of quotes, separators and what may stand in a name. `&amp;` stays: its `&` ends a parameter.
    private static let entities: [String: UInt8] = {
        let spelled = [
            "_": ["lowbar", "UnderBar"], "-": ["hyphen", "dash"], "[": ["lsqb", "lbrack"], "]": ["rsqb", "rbrack"],
            "\"": ["quot", "QUOT"], "'": ["apos"], "=": ["equals"], ":": ["colon"], "@": ["commat"], ".": ["period"],
            "\u{1}": ["shy", "ZeroWidthSpace"],
        ]
        return [String: UInt8](
            uniqueKeysWithValues: spelled.flatMap { byte, names in
                names.map { ($0, byte.utf8[byte.startIndex]) }
            } + [("nbsp", wideBlank)]
        )
    }()

    /// Replaces `&#95;`, `&#x5f;` and `&lowbar;`.
    private mutating func reduceEntity() -> Bool {
        let end = units.count - 1
        var name = end
        while name > 0, end - name < 14,
            units[name - 1].byte.isASCIILetter || units[name - 1].byte.isASCIIDigit || units[name - 1].byte == "#"
        {
            name -= 1
        }
        var start = name - 1
        // An entity that was escaped again: `&amp;#95;`.
        if start >= 4, units[start].byte == ";", units.end(of: "&amp", at: start - 4) != nil { start -= 4 }
        guard start >= 0, units[start].byte == "&", end - name >= 2 else { return false }
        let text = String(decoding: units[name..<end].map(\.byte), as: UTF8.self)
        var byte = Self.entities[text]
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
            byte = UInt32(digits.dropFirst(isHexadecimal ? 1 : 0), radix: isHexadecimal ? 16 : 10).map(Self.plain)
        }
        guard let byte, byte != 0xFF, byte != "&" else { return false }
        return replaceLast(end - start + 1, by: byte)
    }

    private mutating func replaceLast(_ count: Int, by byte: UInt8) -> Bool {
        // By index: a slice would make each removal copy the array.
        let first = units.count - count
        var level: UInt8 = 0
        for index in first..<units.count { level = max(level, units[index].level) }
        units[first].byte = byte
        units[first].level = level == .max ? level : level + 1
        units[first].end = units[units.count - 1].end
        units.removeLast(count - 1)
        return true
    }
}

extension [CollapsedText.Unit] {
    /// Whether the character is at a position, which may lie outside of the text.
    @inline(__always)
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        indices.contains(index) && self[index].byte == character
    }

    /// Whether the unit is the backslash of an escape such as `\n`.
    @inline(__always)
    func beginsEscape(at index: Int) -> Bool {
        has("\\", at: index) && index + 1 < count && RedactionScan.isEscapedControl(self[index + 1].byte)
    }

    /// The end of the run of such bytes from a position.
    @inline(__always)
    func end(from start: Int, while belongs: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count, belongs(self[index].byte) { index += 1 }
        return index
    }

    /// The end of a word, compared without case, that begins at a position; nil if another text is there.
    func end(of word: StaticString, at start: Int) -> Int? {
        guard start + word.utf8CodeUnitCount <= count else { return nil }
        for offset in 0..<word.utf8CodeUnitCount
        where self[start + offset].byte.lowercasedASCII != word.utf8Start[offset] {
            return nil
        }
        return start + word.utf8CodeUnitCount
    }
}
