/// Writes the parts of an event in the format of ``EventCoding``.
struct EventBytesWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(256)
    }

    mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    mutating func append(word: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    mutating func append(_ value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func append(_ text: String) {
        append(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ texts: [String]) {
        append(varint: UInt64(texts.count))
        for text in texts { append(text) }
    }

    mutating func append(_ text: String?) {
        append(text) { $0.append($1) }
    }

    mutating func append(_ value: Int64?) {
        append(value) { $0.append($1) }
    }

    mutating func append(_ flag: Bool?) {
        append(flag) { $0.append($1) }
    }

    mutating func append<Value>(_ value: Value?, _ write: (inout EventBytesWriter, Value) -> Void) {
        guard let value else {
            append(byte: 0)
            return
        }
        append(byte: 1)
        write(&self, value)
    }

    private mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }
}
