/// Reads the parts of an event in the format of ``EventCoding``. It trusts nothing: bytes from a disk may be damaged.
struct EventBytesReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    mutating func byte() throws(EventCodingError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag() throws(EventCodingError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func word() throws(EventCodingError) -> UInt64 {
        var word: UInt64 = 0
        for _ in 0..<8 { word = word << 8 | UInt64(try byte()) }
        return word
    }

    mutating func integer() throws(EventCodingError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func text() throws(EventCodingError) -> String {
        let count = try length()
        let part = bytes[position..<position + count]
        guard let text = String(validating: part, as: UTF8.self) else { throw .malformed }
        position += count
        return text
    }

    mutating func texts() throws(EventCodingError) -> [String] {
        // Each text takes at least one byte, so a wrong count cannot reserve more than the bytes that are left.
        let count = try length()
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    mutating func word<Word: RawRepresentable<String>>(as: Word.Type = Word.self) throws(EventCodingError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw .malformed }
        return word
    }

    mutating func optionalText() throws(EventCodingError) -> String? {
        try flag() ? text() : nil
    }

    mutating func optionalInteger() throws(EventCodingError) -> Int64? {
        try flag() ? integer() : nil
    }

    mutating func optionalFlag() throws(EventCodingError) -> Bool? {
        try flag() ? flag() : nil
    }

    mutating func optionalWord<Word: RawRepresentable<String>>() throws(EventCodingError) -> Word? {
        try flag() ? word() : nil
    }

    /// A length that the rest of the bytes can hold.
    private mutating func length() throws(EventCodingError) -> Int {
        guard let count = Int(exactly: try varint()), count <= bytes.count - position else { throw .malformed }
        return count
    }

    private mutating func varint() throws(EventCodingError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let part = try byte()
            if shift == 63, part > 1 { throw .malformed }
            value |= UInt64(part & 0x7F) << shift
            if part & 0x80 == 0 { return value }
        }
        throw .malformed
    }
}
