/// An array as a parameter in PostgreSQL's binary format, for `unnest($1::uuid[])` and the like. Thousands of elements
/// as text would cost more than the statement itself.
///
/// Append all elements by the call for the array's element type. Nil is null.
package struct PostgresArray: Sendable, Equatable {
    /// The possible types of elements.
    package enum Element: Sendable {
        case int32
        case timestamp
        case uuid
        case text

        /// The OIDs of the element type and of its array type (`pg_type.dat` in PostgreSQL's sources).
        var types: (element: UInt32, array: UInt32) {
            switch self {
            case .int32: (TypeOID.int4, 1007)
            case .timestamp: (TypeOID.timestamptz, 1185)
            case .uuid: (TypeOID.uuid, 2951)
            case .text: (TypeOID.text, 1009)
            }
        }
    }

    let element: Element
    package private(set) var count = 0
    private(set) var elements: [UInt8] = []
    private(set) var hasNull = false
    /// Whether a text contains U+0000, which PostgreSQL cannot store.
    private(set) var hasNullCharacter = false

    /// - Parameter capacity: the number of elements to reserve memory for.
    package init(_ element: Element, capacity: Int = 0) {
        self.element = element
        switch element {
        case .int32: elements.reserveCapacity(8 * capacity)
        case .timestamp: elements.reserveCapacity(12 * capacity)
        case .uuid: elements.reserveCapacity(20 * capacity)
        case .text: elements.reserveCapacity(24 * capacity)
        }
    }

    package mutating func append(int32 value: Int32) {
        append(length: 4)
        append(UInt32(bitPattern: value))
    }

    /// - Parameter microseconds: since 1970-01-01T00:00:00Z.
    package mutating func append(timestamp microseconds: Int64) {
        append(length: 8)
        append(UInt64(bitPattern: PostgresTimestamp.encode(microseconds)))
    }

    package mutating func append(uuidHigh high: UInt64, low: UInt64) {
        append(length: 16)
        append(high)
        append(low)
    }

    package mutating func append(text: String?) {
        guard var text else {
            count += 1
            hasNull = true
            return append(UInt32.max)
        }
        text.withUTF8 { bytes in
            append(length: bytes.count)
            hasNullCharacter = hasNullCharacter || bytes.contains(0)
            elements.append(contentsOf: bytes)
        }
    }

    /// Appends the array in the format of `array_recv` in PostgreSQL's sources. An empty array has no dimension.
    func encode(into bytes: inout [UInt8]) {
        func append(_ word: UInt32) {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        append(count == 0 ? 0 : 1)
        append(hasNull ? 1 : 0)
        append(element.types.element)
        guard count > 0 else { return }
        append(UInt32(truncatingIfNeeded: count))
        append(1)
        bytes.append(contentsOf: elements)
    }

    private mutating func append(length: Int) {
        count += 1
        append(UInt32(truncatingIfNeeded: length))
    }

    private mutating func append<T: FixedWidthInteger>(_ word: T) {
        withUnsafeBytes(of: word.bigEndian) { elements.append(contentsOf: $0) }
    }
}
