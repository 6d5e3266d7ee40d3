/// A row that arrives by COPY. Read its fields in order, each once. Fields that are not read are skipped.
///
/// The `next…` calls throw ``PostgresError/Kind/unexpectedResult`` on null, on a value of another size, and after the
/// last field. Only those for text, bytes and arrays allocate memory.
package struct PostgresCopyRow {
    /// How many fields the row has.
    package let fieldCount: Int
    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private var fieldsRead = 0

    /// - Parameter bytes: the fields, as in ``unreadBytes``. They must outlive the row.
    package init(fieldCount: Int, bytes: UnsafeRawBufferPointer, position: Int = 0) {
        self.fieldCount = fieldCount
        self.bytes = bytes
        self.position = position
    }

    /// All fields from the next one on, and perhaps what follows the row. They are valid until the row's closure
    /// returns.
    package var unreadBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    /// The next field's bytes without a copy; nil for null. They are valid until the row's closure returns.
    package mutating func nextUnsafeBytes() throws(PostgresError) -> UnsafeRawBufferPointer? {
        guard fieldsRead < fieldCount, position + 4 <= bytes.count else { throw missing }
        let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
        position += 4
        fieldsRead += 1
        guard length >= 0 else { return nil }
        guard length <= bytes.count - position else { throw missing }
        defer { position += length }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
    }

    /// Skips fields.
    package mutating func skip(_ count: Int = 1) throws(PostgresError) {
        for _ in 0..<count {
            _ = try nextUnsafeBytes()
        }
    }

    /// - Returns: the end of the row in its message.
    mutating func skipToEnd() throws(PostgresError) -> Int {
        try skip(fieldCount - fieldsRead)
        return position
    }

    /// `smallint`, `integer` or `bigint`.
    package mutating func nextInt64() throws(PostgresError) -> Int64 { try required(nextOptionalInt64()) }

    package mutating func nextOptionalInt64() throws(PostgresError) -> Int64? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.integer(field) }
    }

    /// `smallint`, `integer` or `bigint`.
    package mutating func nextInt() throws(PostgresError) -> Int { Int(try nextInt64()) }

    package mutating func nextOptionalBool() throws(PostgresError) -> Bool? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.bool(field) }
    }

    /// Text, an enum's label, or JSON (of type `json`; for `jsonb` use ``nextOptionalJSONB()``).
    package mutating func nextText() throws(PostgresError) -> String { try required(nextOptionalText()) }

    package mutating func nextOptionalText() throws(PostgresError) -> String? {
        try nextUnsafeBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    package mutating func nextOptionalJSONB() throws(PostgresError) -> String? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.jsonb(field) }
    }

    package mutating func nextOptionalBytes() throws(PostgresError) -> [UInt8]? {
        try nextUnsafeBytes().map { Array($0) }
    }

    /// `timestamptz`: microseconds since 1970-01-01T00:00:00Z. `infinity` is `Int64.max`, `-infinity` `Int64.min`.
    package mutating func nextTimestamp() throws(PostgresError) -> Int64 { try required(nextOptionalTimestamp()) }

    package mutating func nextOptionalTimestamp() throws(PostgresError) -> Int64? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.timestamp(field) }
    }

    package mutating func nextUUID() throws(PostgresError) -> (high: UInt64, low: UInt64) {
        try required(nextOptionalUUID())
    }

    package mutating func nextOptionalUUID() throws(PostgresError) -> (high: UInt64, low: UInt64)? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.uuid(field) }
    }

    package mutating func nextOptionalMillionths() throws(PostgresError) -> Int64? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryNumeric(field).millionths() }
    }

    package mutating func nextOptionalTextArray() throws(PostgresError) -> [String]? {
        try nextUnsafeBytes().map { field throws(PostgresError) in try BinaryField.textArray(field) }
    }

    private func required<T>(_ value: T?) throws(PostgresError) -> T {
        guard let value else {
            throw PostgresError(.unexpectedResult, "field \(fieldsRead) of the copied row is null")
        }
        return value
    }

    private var missing: PostgresError {
        PostgresError(.unexpectedResult, "the copied row has no field \(fieldsRead + 1) of \(fieldCount)")
    }
}
