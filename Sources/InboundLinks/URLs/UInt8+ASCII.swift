import Text

extension UInt8 {
    /// Space, tab, line feed, carriage return, vertical tab, form feed.
    var isBlank: Bool {
        self == 0x20 || self &- 9 < 5
    }
}

extension StaticString {
    /// Whether a range of bytes is this text, byte for byte.
    func matches(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.count == utf8CodeUnitCount else { return false }
        for offset in 0..<utf8CodeUnitCount where bytes[range.lowerBound + offset] != utf8Start[offset] {
            return false
        }
        return true
    }

    /// Whether a range of bytes is this text, ignoring case. The text must be in lower case.
    func matchesIgnoringCase(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.count == utf8CodeUnitCount else { return false }
        for offset in 0..<utf8CodeUnitCount
        where bytes[range.lowerBound + offset].lowercasedASCII != utf8Start[offset] {
            return false
        }
        return true
    }
}

extension String {
    /// Without blanks at both ends.
    var trimmed: String {
        guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
        let bytes = utf8.drop { $0.isBlank }
        var end = bytes.endIndex
        while end > bytes.startIndex {
            let before = bytes.index(before: end)
            guard bytes[before].isBlank else { break }
            end = before
        }
        return String(Substring(bytes[..<end]))
    }

    /// `A`–`Z` as `a`–`z`, all other characters unchanged, as identifiers of protocols need it.
    var lowercasedASCII: String {
        guard utf8.contains(where: { $0 &- UInt8(ascii: "A") < 26 }) else { return self }
        return String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self)
    }

    /// The parts between commas, without blanks around them and without empty parts.
    var commaSeparated: [String] {
        guard utf8.contains(UInt8(ascii: ",")) else {
            let text = trimmed
            return text.isEmpty ? [] : [text]
        }
        var parts: [String] = []
        for part in utf8.split(separator: UInt8(ascii: ",")) {
            let text = String(Substring(part)).trimmed
            if !text.isEmpty { parts.append(text) }
        }
        return parts
    }
}
