import Text

/// The percent-encodings of a part of a URL in the one spelling that stands for all (RFC 3986, 2 and 6.2.2): in
/// capitals, and only where a character needs one. Reserved characters stay as they are, escaped or not: `%2F` is no
/// `/`.
enum URLEscapes {
    static func normalised(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            var byte = text[index]
            var isEscaped = false
            if byte == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = text[index + 1].hexadecimalValue,
                let low = text[index + 2].hexadecimalValue
            {
                byte = high << 4 | low
                isEscaped = true
                index += 2
            }
            index += 1
            if byte.isUnreserved || !isEscaped && byte.isReserved {
                result.append(byte)
            } else {
                result += byte.percentEscape.utf8
            }
        }
        return result
    }
}

extension UInt8 {
    /// May separate parts (RFC 3986, 2.2).
    fileprivate var isReserved: Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(self) }
}
