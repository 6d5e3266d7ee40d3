#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Rows for a binary COPY (documentation of `COPY`, "Binary Format"), in one growing buffer: a field costs no
/// allocation.
///
/// Begin each row with the number of its fields. Then append the fields in the statement's order, each in exactly the
/// column's type (`int32` for `integer`, and so on): the server converts nothing. Nil is null.
///
/// It is a class. A value type would check at each field whether its buffer is uniquely referenced, and unoptimised
/// code always finds it shared: each field would then copy all rows before it.
package final class PostgresCopyData: @unchecked Sendable {
    // Guard of `@unchecked Sendable`: one task fills it and hands it over; after that it is only read.

    private static let headerSize = 19

    let buffer: CopyBuffer
    /// The number of rows that have been begun.
    package private(set) var rowCount = 0
    var missingFields = 0
    /// The first row, counted from 1, that has a wrong number of fields or text that cannot be stored.
    private var firstBadRow: (row: Int, reason: BadRow)?

    private enum BadRow {
        case fieldCount
        case nullCharacter
    }

    /// - Parameter capacity: the number of bytes to reserve.
    package init(capacity: Int = 16 * 1024) {
        buffer = CopyBuffer(capacity: capacity + Self.headerSize)
        let header = buffer.extend(by: Self.headerSize)
        // No flags and no extension follow the signature.
        header.initializeMemory(as: UInt8.self, repeating: 0, count: Self.headerSize)
        header.copyMemory(from: CopyStream.signature, byteCount: CopyStream.signature.count)
    }

    /// The number of bytes so far.
    package var byteCount: Int { buffer.count }
    package var isEmpty: Bool { rowCount == 0 }

    /// Removes all rows. The memory stays for the next ones.
    package func removeAll() {
        buffer.truncate(to: Self.headerSize)
        rowCount = 0
        missingFields = 0
        firstBadRow = nil
    }

    /// Begins a row.
    ///
    /// - Parameter fields: the number of fields, at most 1600 (PostgreSQL's limit of columns).
    package func beginRow(fields: Int) {
        if missingFields != 0 {
            markBadRow(.fieldCount)
        }
        rowCount += 1
        missingFields = fields
        Self.store(UInt16(truncatingIfNeeded: fields), at: room(2))
    }

    /// Replaces a `bigint` that is not null.
    ///
    /// - Parameter end: the ``byteCount`` right after the field was appended.
    package func replace(int64 value: Int64, endingAt end: Int) {
        precondition(Self.headerSize + 12 <= end && end <= buffer.count)
        let field = buffer.base + (end - 12)
        precondition(UInt32(bigEndian: field.loadUnaligned(as: UInt32.self)) == 8, "not a bigint")
        Self.store(UInt64(bitPattern: value), at: field + 4)
    }

    // MARK: - For the connection

    /// - Throws: ``PostgresError/Kind/invalidValue`` for text with U+0000; ``PostgresError/Kind/misuse`` for a row that
    ///   was begun with another number of fields.
    func checkComplete() throws(PostgresError) {
        let bad = firstBadRow ?? (missingFields == 0 ? nil : (rowCount, .fieldCount))
        switch bad {
        case nil:
            return
        case (let row, .nullCharacter)?:
            throw PostgresError(.invalidValue, "row \(row) has text with U+0000", sqlState: "22021")
        case (let row, .fieldCount)?:
            throw PostgresError(.misuse, "row \(row) has another number of fields than it was begun with")
        }
    }

    /// Passes the data and the trailer to `body`, in chunks that suit libpq's own buffer.
    ///
    /// - Parameter body: returns false to stop.
    /// - Returns: false if `body` stopped it.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var position = 0
        while position < buffer.count {
            let size = min(64 * 1024, buffer.count - position)
            guard body(UnsafeRawBufferPointer(start: buffer.base + position, count: size)) else { return false }
            position += size
        }
        return withUnsafeBytes(of: Int16(-1)) { body($0) }
    }

    // MARK: - The buffer

    @inline(__always)
    func room(_ size: Int) -> UnsafeMutableRawPointer {
        return buffer.extend(by: size)
    }

    /// Room for a field's length and its bytes.
    @inline(__always)
    func field(_ size: Int) -> UnsafeMutableRawPointer {
        missingFields -= 1
        return room(4 + size)
    }

    @inline(__always)
    static func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at target: UnsafeMutableRawPointer) {
        target.storeBytes(of: value.bigEndian, as: T.self)
    }

    @inline(__always)
    func appendFixed<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        let target = field(MemoryLayout<T>.size)
        Self.store(UInt32(MemoryLayout<T>.size), at: target)
        Self.store(value, at: target + 4)
    }

    @inline(__always)
    static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        if let base = bytes.baseAddress {
            target.copyMemory(from: base, byteCount: bytes.count)
        }
    }

    @inline(__always)
    func checkText(_ bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress, memchr(base, 0, bytes.count) != nil {
            markBadRow(.nullCharacter)
        }
    }

    private func markBadRow(_ reason: BadRow) {
        if firstBadRow == nil {
            firstBadRow = (rowCount, reason)
        }
    }
}
