/// Text as HTML and SVG hold it between tags and in quoted attributes.
package enum HTMLText {
    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        // Bytes, not characters: for Swift, a quotation mark with a combining accent is another character.
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            case 0..<0x20 where byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n"):
                // HTML and XML allow no other control characters, not even escaped.
                bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
        }
    }
}
