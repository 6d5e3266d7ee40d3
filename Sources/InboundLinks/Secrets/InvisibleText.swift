import Text

/// The characters that nobody sees: blanks, control characters, joiners and fillers.
package enum InvisibleText {
    /// The range of a text without invisible characters and quotation marks at both ends.
    package static func trimming(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var start = 0
        var end = bytes.count
        while start < end, let length = paddingLength(bytes, from: start, end: end) { start += length }
        while end > start, let length = paddingLength(bytes, before: end, start: start) { end -= length }
        return start..<end
    }

    private static func paddingLength(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, end: Int) -> Int? {
        let byte = bytes[start]
        if byte < 0x80 { return isPadding(byte) ? 1 : nil }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard start + length <= end else { return nil }
        return isInvisible(scalar(bytes, start..<start + length)) ? length : nil
    }

    private static func paddingLength(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int, start: Int) -> Int? {
        if bytes[end - 1] < 0x80 { return isPadding(bytes[end - 1]) ? 1 : nil }
        var first = end - 1
        while first > start, bytes[first] & 0xC0 == 0x80 { first -= 1 }
        guard bytes[first] >= 0xC2 else { return nil }
        return isInvisible(scalar(bytes, first..<end)) ? end - first : nil
    }

    private static func isPadding(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || byte == "\"" || byte == "'"
    }

    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt32 {
        let first = UInt32(bytes[range.lowerBound])
        var scalar = range.count == 2 ? first & 0x1F : range.count == 3 ? first & 0x0F : first & 0x07
        for index in range.dropFirst() { scalar = scalar << 6 | UInt32(bytes[index] & 0x3F) }
        return scalar
    }

    /// Whether a character outside of ASCII shows nothing: a blank, a control or format character, a filler, a
    /// variation selector or a tag.
    package static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0xA0, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x1680, 0x17B4...0x17B5, 0x180B...0x180F: true
        case 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x2800, 0x3000, 0x3164: true
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
        default: false
        }
    }
}
