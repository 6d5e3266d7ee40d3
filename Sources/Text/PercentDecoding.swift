/// Percent-decoding (RFC 3986 section 2.1), once, as parameters need it.
package enum PercentDecoding {
    /// The text that a stretch of a URL stands for, or nil where it stands for none: a `%` without two hexadecimal
    /// digits, bytes that are not UTF-8, or U+0000, which no text of ours may hold.
    package static func text(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> String? {
        guard isEncoded(bytes, range, plusIsSpace: plusIsSpace) else {
            return String(decoding: bytes[range], as: UTF8.self)
        }
        guard let decoded = self.bytes(bytes, range, plusIsSpace: plusIsSpace) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The decoded bytes, or nil at a bad `%` or U+0000. Not checked to be UTF-8.
    package static func bytes(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            guard let byte = next(bytes, &index, end: range.upperBound, plusIsSpace: plusIsSpace) else { return nil }
            decoded.append(byte)
        }
        return decoded
    }

    /// Decodes one byte and steps over its spelling.
    package static func next(_ bytes: [UInt8], _ index: inout Int, end: Int, plusIsSpace: Bool) -> UInt8? {
        let byte = bytes[index]
        if byte == UInt8(ascii: "%") {
            guard index + 2 < end, let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue, high | low != 0
            else { return nil }
            index += 3
            return high << 4 | low
        }
        index += 1
        return byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte
    }

    private static func isEncoded(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> Bool {
        for index in range {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") || (plusIsSpace && byte == UInt8(ascii: "+")) { return true }
        }
        return false
    }
}
