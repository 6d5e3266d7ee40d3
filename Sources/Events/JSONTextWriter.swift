/// Builds a JSON text.
struct JSONTextWriter {
    private(set) var bytes: [UInt8] = []

    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what is JSON already.
    mutating func append(_ json: String) {
        bytes.append(contentsOf: json.utf8)
    }

    mutating func append(raw json: some Sequence<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Appends a string, escaped as RFC 8259 section 7 asks.
    mutating func append(quoted text: String) {
        append(quoted: text.utf8)
    }

    /// Appends a string of bytes, which should be UTF-8.
    mutating func append(quoted text: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: digits.utf8)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
