/// Writes a JSON text (RFC 8259), value by value. It adds commas and colons itself.
package struct JSONWriter {
    /// The text so far, UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value of the open container follows another.
    private var needsComma = false

    package init() {}

    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try container(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        try container(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Writes the name of an object's next member.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        string(utf8: text.utf8)
    }

    /// Writes a string from bytes, which should be UTF-8.
    package mutating func string(utf8 text: some Sequence<UInt8>) {
        separate()
        Self.appendQuoted(text, to: &bytes)
    }

    /// A JSON text that is one string.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendQuoted(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends UTF-8 in quotation marks, escaped as RFC 8259 section 7 requires. U+2028 and U+2029 are escaped too,
    /// because they end a line in JavaScript before ES2019.
    package static func appendQuoted(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        let isWritten = text.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy(isPlain) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if isWritten == true { return }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            case 0xA8 where endsInSeparator(bytes), 0xA9 where endsInSeparator(bytes):
                bytes.removeLast(2)
                bytes.append(contentsOf: (byte == 0xA8 ? "\\u2028" : "\\u2029").utf8)
            default:
                bytes.append(byte)
            }
        }
    }

    /// Whether the first two bytes of U+2028 or U+2029 are there. By index: `suffix` of a sequence reads all that
    /// was written.
    private static func endsInSeparator(_ bytes: [UInt8]) -> Bool {
        bytes.count > 1 && bytes[bytes.count - 2] == 0xE2 && bytes[bytes.count - 1] == 0x80
    }

    /// Whether a byte is written as it is, whatever is before it. U+2028 and U+2029 end with the last two.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F && byte != 0xA8
            && byte != 0xA9
    }

    package mutating func integer(_ value: some BinaryInteger) {
        raw(String(value))
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func null() {
        raw("null")
    }

    /// Writes a value that is JSON already, such as the spelling of a number.
    package mutating func raw(_ json: String) {
        raw(utf8: json.utf8)
    }

    /// Writes bytes that are one JSON value already.
    package mutating func raw(utf8 json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Members with values of common types

    /// A text, or null.
    package mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: String, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func member(_ name: String, _ values: [String]) {
        key(name)
        array { writer in
            for value in values { writer.string(value) }
        }
    }

    private mutating func container(
        _ bracket: UInt8,
        _ closing: UInt8,
        _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        open(bracket)
        try body(&self)
        close(closing)
    }

    /// Begins an object or an array whose content no closure can write. ``close(_:)`` ends it.
    package mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    package mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
