import Text

/// Finds the JSON object at the start of a text that continues after it (docs/links.md, *How a link is read*). SDK
/// encoders leave `&` and `=` raw inside `al_applink_data`, and backends log URLs already decoded.
enum BalancedObject {
    /// The range of the object in a text that is already decoded; nil if its braces never close.
    static func raw(_ bytes: [UInt8], from start: Int, end: Int) -> Range<Int>? {
        var scanner = Scanner()
        for index in start..<end where scanner.closes(bytes[index]) {
            return start..<index + 1
        }
        return nil
    }

    /// The decoded object, and where it ends in the encoded text; nil if its braces never close or a `%` is invalid.
    static func decoded(_ bytes: [UInt8], from start: Int, end: Int) -> (object: [UInt8], end: Int)? {
        var scanner = Scanner()
        var object: [UInt8] = []
        object.reserveCapacity(end - start)
        var index = start
        while index < end {
            guard let byte = PercentDecoding.next(bytes, &index, end: end, plusIsSpace: true) else { return nil }
            object.append(byte)
            if object.count == 1, byte != UInt8(ascii: "{") { return nil }
            if scanner.closes(byte) { return (object, index) }
        }
        return nil
    }

    private struct Scanner {
        private var depth = 0
        private var insideString = false
        private var escaped = false

        /// Takes the next byte. True if it closes the outermost brace.
        mutating func closes(_ byte: UInt8) -> Bool {
            if insideString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    insideString = false
                }
                return false
            }
            switch byte {
            case UInt8(ascii: "\""): insideString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                return depth == 0
            default: break
            }
            return false
        }
    }
}
