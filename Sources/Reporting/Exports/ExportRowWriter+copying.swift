import Events
import InboundLinks
import Time
import Postgres

extension ExportRowWriter {
    /// Writes the next field of a row in the form of its column's kind.
    mutating func copy(_ kind: ReportColumn.Kind, from row: inout PostgresCopyRow) throws {
        switch kind {
        case .text: text(try row.nextUnsafeBytes())
        case .integer: integer(try row.nextOptionalInt64())
        case .decimal, .rate, .ratio, .probability:
            decimal(millionths: try row.nextOptionalMillionths().map { Int128($0) })
        case .time: time(try row.nextOptionalTimestamp().map { Timestamp(microseconds: $0) })
        case .flag: flag(try row.nextOptionalBool())
        case .uuid: uuid(try row.nextOptionalUUID().map { EventID(high: $0.high, low: $0.low) })
        // A byte with the version precedes the text of `jsonb`.
        case .json: json(try row.nextUnsafeBytes().map { UnsafeRawBufferPointer(rebasing: $0.dropFirst()) })
        case .list: textArray(try row.nextUnsafeBytes())
        }
    }

    /// Reads a one-dimensional `text[]`: five numbers of 4 bytes, then for each element its length in 4 bytes and its
    /// bytes. An empty array has no elements and a shorter header.
    private mutating func textArray(_ array: UnsafeRawBufferPointer?) {
        guard let array else { return null() }
        let elements = sequence(state: 20) { position -> UnsafeRawBufferPointer? in
            guard position + 4 <= array.count else { return nil }
            let length = Int(Int32(bigEndian: array.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            position += 4
            guard length >= 0, position + length <= array.count else { return nil }
            defer { position += length }
            return UnsafeRawBufferPointer(rebasing: array[position..<position + length])
        }
        list(elements) { element, body in body(element) }
    }
}
