import CLibpq

/// A row of a ``PostgresResult``. Columns are addressed by number, from 0, or by name.
///
/// Every accessor throws ``PostgresError/Kind/unexpectedResult`` if the column does not exist or has another type. All
/// but the optional forms also throw it if the value is null.
package struct PostgresRow: Sendable {
    private let storage: ResultStorage
    private let index: Int32

    init(storage: ResultStorage, index: Int32) {
        self.storage = storage
        self.index = index
    }

    package var columnCount: Int { Int(PQnfields(storage.pointer)) }

    /// The number of a column.
    package func column(_ name: String) throws(PostgresError) -> Int {
        let column = PQfnumber(storage.pointer, name)
        guard column >= 0 else { throw PostgresError(.unexpectedResult, "the result has no column \"\(name)\"") }
        return Int(column)
    }

    package func isNull(_ column: Int) throws(PostgresError) -> Bool {
        try field(column) == nil
    }

    /// `smallint`, `integer`, `bigint`, `oid`, or a `numeric` without a fraction (the type of `sum(bigint)`).
    package func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? {
        guard let (type, bytes) = try field(column) else { return nil }
        switch type {
        case TypeOID.int8, TypeOID.int4, TypeOID.int2:
            return try BinaryField.integer(bytes)
        case TypeOID.oid:
            return Int64(bytes.loadUnaligned(as: UInt32.self).bigEndian)
        case TypeOID.numeric:
            if let value = try BinaryNumeric(bytes).integer() { return value }
            throw PostgresError(.unexpectedResult, "column \(column) is no whole number of 64 bits")
        default:
            throw mismatch(column, "an integer", type)
        }
    }

    /// Any number; a `numeric` is rounded to the nearest.
    package func optionalDouble(_ column: Int) throws(PostgresError) -> Double? {
        guard let (type, bytes) = try field(column) else { return nil }
        switch type {
        case TypeOID.float8, TypeOID.float4:
            return try BinaryField.floatingPoint(bytes)
        case TypeOID.int8, TypeOID.int4, TypeOID.int2:
            return Double(try BinaryField.integer(bytes))
        case TypeOID.numeric:
            return Double(try BinaryNumeric(bytes).text())
        default:
            throw mismatch(column, "a number", type)
        }
    }

    package func optionalBool(_ column: Int) throws(PostgresError) -> Bool? {
        guard let (type, bytes) = try field(column) else { return nil }
        guard type == TypeOID.bool else { throw mismatch(column, "a boolean", type) }
        return try BinaryField.bool(bytes)
    }

    /// Text, an enum's label, JSON, or the decimal form of an integer, `numeric` or `uuid`.
    package func optionalText(_ column: Int) throws(PostgresError) -> String? {
        guard let (type, bytes) = try field(column) else { return nil }
        switch type {
        case TypeOID.int8, TypeOID.int4, TypeOID.int2, TypeOID.oid:
            return try optionalInt64(column).map { String($0) }
        case TypeOID.numeric:
            return try BinaryNumeric(bytes).text()
        case TypeOID.jsonb:
            return try BinaryField.jsonb(bytes)
        case TypeOID.uuid:
            let (high, low) = try BinaryField.uuid(bytes)
            return Self.uuidText(high, low)
        case TypeOID.bool, TypeOID.bytea, TypeOID.float4, TypeOID.float8, TypeOID.date, TypeOID.timestamp,
            TypeOID.timestamptz, TypeOID.interval:
            throw mismatch(column, "text", type)
        default:
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The value's binary form, whatever its type: for `bytea` its content, for text its UTF-8.
    package func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try field(column).map { Array($0.bytes) }
    }

    /// `timestamptz`: microseconds since 1970-01-01T00:00:00Z. A `timestamp` is taken as UTC. `infinity` is
    /// `Int64.max`, `-infinity` `Int64.min`.
    package func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64? {
        guard let (type, bytes) = try field(column) else { return nil }
        guard type == TypeOID.timestamptz || type == TypeOID.timestamp else {
            throw mismatch(column, "a timestamp", type)
        }
        return try BinaryField.timestamp(bytes)
    }

    package func optionalUUID(_ column: Int) throws(PostgresError) -> (high: UInt64, low: UInt64)? {
        guard let (type, bytes) = try field(column) else { return nil }
        guard type == TypeOID.uuid else { throw mismatch(column, "a UUID", type) }
        return try BinaryField.uuid(bytes)
    }

    /// `numeric` in whole millionths.
    package func optionalMillionths(_ column: Int) throws(PostgresError) -> Int64? {
        guard let (type, bytes) = try field(column) else { return nil }
        guard type == TypeOID.numeric else { throw mismatch(column, "a numeric", type) }
        return try BinaryNumeric(bytes).millionths()
    }

    /// An array of text or enum labels: one dimension, no nulls.
    package func optionalTextArray(_ column: Int) throws(PostgresError) -> [String]? {
        try field(column).map { field throws(PostgresError) in try BinaryField.textArray(field.bytes) }
    }

    /// An array of integers: one dimension, no nulls.
    package func optionalIntArray(_ column: Int) throws(PostgresError) -> [Int64]? {
        try field(column).map { field throws(PostgresError) in try BinaryField.intArray(field.bytes) }
    }

    /// The bytes are valid as long as the storage, which the row retains.
    private func field(_ column: Int) throws(PostgresError) -> (type: UInt32, bytes: UnsafeRawBufferPointer)? {
        guard column >= 0, column < columnCount else {
            throw PostgresError(.unexpectedResult, "the result has no column \(column), only \(columnCount)")
        }
        let column = Int32(column)
        guard PQgetisnull(storage.pointer, index, column) == 0 else { return nil }
        let count = Int(PQgetlength(storage.pointer, index, column))
        return (
            PQftype(storage.pointer, column),
            UnsafeRawBufferPointer(start: PQgetvalue(storage.pointer, index, column), count: count)
        )
    }

    func required<T>(_ value: T?, _ column: Int) throws(PostgresError) -> T {
        guard let value else { throw PostgresError(.unexpectedResult, "column \(column) is null") }
        return value
    }

    private func mismatch(_ column: Int, _ expected: String, _ type: UInt32) -> PostgresError {
        PostgresError(.unexpectedResult, "column \(column) is not \(expected), its type has the OID \(type)")
    }

    private static func uuidText(_ high: UInt64, _ low: UInt64) -> String {
        func hex(_ value: UInt64, _ width: Int) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}
