/// Reads single values in PostgreSQL's binary format, which is big-endian.
enum BinaryField {
    static func integer(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> Int64 {
        switch field.count {
        case 8: field.loadUnaligned(as: Int64.self).bigEndian
        case 4: Int64(field.loadUnaligned(as: Int32.self).bigEndian)
        case 2: Int64(field.loadUnaligned(as: Int16.self).bigEndian)
        default: throw mismatch("an integer", field)
        }
    }

    static func floatingPoint(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> Double {
        switch field.count {
        case 8: Double(bitPattern: field.loadUnaligned(as: UInt64.self).bigEndian)
        case 4: Double(Float(bitPattern: field.loadUnaligned(as: UInt32.self).bigEndian))
        default: throw mismatch("a floating-point number", field)
        }
    }

    static func bool(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> Bool {
        guard field.count == 1 else { throw mismatch("a boolean", field) }
        return field[0] != 0
    }

    static func timestamp(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> Int64 {
        guard field.count == 8 else { throw mismatch("a timestamp", field) }
        return PostgresTimestamp.decode(field.loadUnaligned(as: Int64.self).bigEndian)
    }

    static func uuid(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> (high: UInt64, low: UInt64) {
        guard field.count == 16 else { throw mismatch("a UUID", field) }
        return (
            field.loadUnaligned(as: UInt64.self).bigEndian,
            field.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
        )
    }

    /// The text follows a version byte. It has been 1 since PostgreSQL 9.4.
    static func jsonb(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> String {
        guard field.first == 1 else { throw mismatch("jsonb of version 1", field) }
        return String(decoding: field.dropFirst(), as: UTF8.self)
    }

    static func textArray(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> [String] {
        var result: [String] = []
        try forEachElement(field) { element throws(PostgresError) in
            result.append(String(decoding: element, as: UTF8.self))
        }
        return result
    }

    static func intArray(_ field: UnsafeRawBufferPointer) throws(PostgresError) -> [Int64] {
        var result: [Int64] = []
        try forEachElement(field) { element throws(PostgresError) in
            result.append(try integer(element))
        }
        return result
    }

    /// Reads the format of `array_recv` in PostgreSQL's sources: the number of dimensions, a null flag, the element
    /// type, the size and lower bound of each dimension, and the elements.
    private static func forEachElement(
        _ field: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        func word(at offset: Int) throws(PostgresError) -> Int {
            guard offset + 4 <= field.count else { throw mismatch("an array", field) }
            return Int(field.loadUnaligned(fromByteOffset: offset, as: Int32.self).bigEndian)
        }
        let dimensions = try word(at: 0)
        guard dimensions != 0 else { return }
        guard dimensions == 1 else { throw mismatch("an array of one dimension", field) }
        var position = 20
        for _ in 0..<(try word(at: 12)) {
            let length = try word(at: position)
            position += 4
            guard length >= 0, length <= field.count - position else { throw mismatch("an array without nulls", field) }
            try body(UnsafeRawBufferPointer(rebasing: field[position..<position + length]))
            position += length
        }
    }

    static func mismatch(_ expected: String, _ field: UnsafeRawBufferPointer) -> PostgresError {
        PostgresError(.unexpectedResult, "expected \(expected), found a value of \(field.count) bytes")
    }
}
