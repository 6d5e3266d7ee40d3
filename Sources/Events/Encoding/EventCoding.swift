/// An event as bytes, for the spool: events wait there while the database is unavailable. Compact and exact.
///
/// A byte for the version comes first, then the type and the fields in a fixed order:
///
/// - An integer is a zigzag varint.
/// - A text is its length and its UTF-8.
/// - An optional value has a byte 0 or 1 before it.
/// - A list has its length before it.
/// - A case of an enumeration is written by name, so that the order of cases in the source does not matter.
package enum EventCoding {
    /// Of the encoding. ``decode(_:)`` reads no other.
    package static let version: UInt8 = 1

    package static func encode(_ event: Event) -> [UInt8] {
        var writer = EventBytesWriter()
        writer.append(byte: version)
        event.write(to: &writer)
        return writer.bytes
    }

    /// Reads the bytes of ``encode(_:)``.
    package static func decode(_ bytes: some Collection<UInt8>) throws(EventCodingError) -> Event {
        if let result = bytes.withContiguousStorageIfAvailable({ read($0) }) { return try result.get() }
        return try Array(bytes).withUnsafeBufferPointer { read($0) }.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Event, EventCodingError> {
        do throws(EventCodingError) {
            var reader = EventBytesReader(bytes)
            guard try reader.byte() == version else { return .failure(.unknownVersion) }
            let event = try Event(from: &reader)
            return reader.isAtEnd ? .success(event) : .failure(.malformed)
        } catch {
            return .failure(error)
        }
    }
}
