/// Parameters in libpq's form: the bytes of all values in one buffer, and arrays of offsets, types, lengths and
/// formats.
struct ParameterBuffer {
    private var bytes: [UInt8] = []
    /// Where each value begins; negative for null.
    private var offsets: [Int] = []
    private(set) var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    private static let text: Int32 = 0
    private static let binary: Int32 = 1

    /// No parameters.
    init() {}

    init(_ values: [PostgresValue]) throws(PostgresError) {
        guard values.count <= 65535 else {
            throw PostgresError(.misuse, "a statement takes at most 65535 parameters, not \(values.count)")
        }
        for (index, value) in values.enumerated() {
            let start = bytes.count
            let (type, format) = try append(value, index: index)
            offsets.append(value == .null ? -1 : start)
            types.append(type)
            formats.append(format)
            lengths.append(Int32(truncatingIfNeeded: bytes.count - start))
            bytes.append(0)  // libpq takes text as a C string
        }
    }

    var count: Int { offsets.count }

    func isNull(_ index: Int) -> Bool { offsets[index] < 0 }

    private mutating func append(_ value: PostgresValue, index: Int) throws(PostgresError) -> (UInt32, Int32) {
        switch value {
        case .null:
            return (TypeOID.unknown, Self.text)
        case .bool(let value):
            bytes.append(value ? 1 : 0)
            return (TypeOID.bool, Self.binary)
        case .int(let value):
            bytes.append(contentsOf: String(value).utf8)
            return (TypeOID.unknown, Self.text)
        case .double(let value):
            appendBigEndian(value.bitPattern)
            return (TypeOID.float8, Self.binary)
        case .text(let value):
            try appendText(value, index: index)
            return (TypeOID.unknown, Self.text)
        case .bytes(let value):
            bytes.append(contentsOf: value)
            return (TypeOID.bytea, Self.binary)
        case .timestamp(let microseconds):
            appendBigEndian(UInt64(bitPattern: PostgresTimestamp.encode(microseconds)))
            return (TypeOID.timestamptz, Self.binary)
        case .uuid(let high, let low):
            appendBigEndian(high)
            appendBigEndian(low)
            return (TypeOID.uuid, Self.binary)
        case .textArray(let values):
            try appendArray(values, index: index)
            return (TypeOID.unknown, Self.text)
        case .intArray(let values):
            bytes.append(contentsOf: "{\(values.map(String.init).joined(separator: ","))}".utf8)
            return (TypeOID.unknown, Self.text)
        case .array(let array):
            guard !array.hasNullCharacter else { throw Self.nullCharacter(index) }
            array.encode(into: &bytes)
            return (array.element.types.array, Self.binary)
        }
    }

    private mutating func appendBigEndian(_ value: UInt64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func appendText(_ text: String, index: Int) throws(PostgresError) {
        guard !text.utf8.contains(0) else {
            throw Self.nullCharacter(index)
        }
        bytes.append(contentsOf: text.utf8)
    }

    private static func nullCharacter(_ index: Int) -> PostgresError {
        PostgresError(.invalidValue, "parameter $\(index + 1) contains U+0000", sqlState: "22021")
    }

    /// Appends an array in text form. Every element is quoted, so that an empty text or `null` stays text.
    private mutating func appendArray(_ values: [String], index: Int) throws(PostgresError) {
        bytes.append(UInt8(ascii: "{"))
        for (position, value) in values.enumerated() {
            if position > 0 {
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in value.utf8 {
                if byte == 0 {
                    throw Self.nullCharacter(index)
                }
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(UInt8(ascii: "\\"))
                }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Passes the values, lengths and formats to a libpq call. The pointers are valid only during `body`.
    func withLibpqArrays<R>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> R
    ) -> R {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = offsets.map { offset -> UnsafePointer<CChar>? in
                offset < 0 ? nil : base.map { $0 + offset }
            }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
