/// An event as bytes, for the time that the database is away. Compact, exact, and of one version:
///
/// a byte for the version, then the type and the fields in a fixed order. An integer is a zigzag varint; a text is
/// its length and its UTF-8; what may be absent has a byte 0 or 1 before it; a list has its length before it. Words of an
/// enumeration are kept by name, so that their order in the source means nothing.
package enum EventCoding {
    /// What ``encode(_:)`` writes. ``decode(_:)`` reads this and every older one.
    package static let version: UInt8 = 1

    package static func encode(_ event: Event) -> [UInt8] {
        var writer = EventBytesWriter()
        writer.append(byte: version)
        event.write(to: &writer)
        return writer.bytes
    }

    /// Reads what ``encode(_:)`` wrote.
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
