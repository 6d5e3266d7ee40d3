/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// - Parameter isKept: the bytes that stay as they are; by default letters, digits, `-`, `.`, `_` and `~`.
    package static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool = \.isUnreserved) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) { bytes.append(byte) } else { bytes += byte.percentEscape.utf8 }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Means the same in a URL, escaped or not (RFC 3986 section 2.3).
    package var isUnreserved: Bool {
        isASCIILetter || isASCIIDigit || self == "-" || self == "." || self == "_" || self == "~"
    }
}
