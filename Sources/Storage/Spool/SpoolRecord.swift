/// A request in the log, without its payload: what stands before the payload, with checksums of both. So a damaged
/// payload does not hide where the next record begins.
///
/// All numbers are little-endian: the mark, the payload's length (4 bytes), the position (8), the number of events (4),
/// the time of receipt (8), the payload's CRC-32 (4), and the CRC-32 of all that (4).
struct SpoolRecord: Equatable {
    /// Begins with a byte that UTF-8 does not have, so no payload contains it. It ends with the version of the form.
    private static let mark: UInt32 = 0x31_6C_73_FF
    static let headLength = 36
    /// No payload is longer: 256 MiB. A damaged length must not fill the memory.
    private static let longest = 256 << 20

    var position: Int64
    var events: Int
    /// Microseconds since 1970, UTC.
    var receivedAt: Int64
    var length: Int
    private var checksum: UInt32

    init(position: Int64, events: Int, receivedAt: Int64, payload: [UInt8]) {
        self.position = position
        self.events = events
        self.receivedAt = receivedAt
        length = payload.count
        checksum = payload.withUnsafeBytes { DiskFile.checksum($0) }
    }

    /// The record whose head is at an offset; nil if none is there.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, offset + Self.headLength <= bytes.count else { return nil }
        func value<Value: FixedWidthInteger>(_ place: Int, as: Value.Type = Value.self) -> Value {
            Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Value.self))
        }
        guard value(0, as: UInt32.self) == Self.mark else { return nil }
        let head = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Self.headLength - 4])
        guard value(32, as: UInt32.self) == DiskFile.checksum(head) else { return nil }
        length = Int(value(4, as: UInt32.self))
        position = value(8)
        events = Int(value(16, as: UInt32.self))
        receivedAt = value(20)
        checksum = value(28)
        guard length <= Self.longest, (1..<1 << 60).contains(position) else { return nil }
    }

    func append(to bytes: inout [UInt8], payload: some Collection<UInt8>) {
        let start = bytes.count
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(Self.mark)
        append(UInt32(length))
        append(position)
        append(UInt32(events))
        append(receivedAt)
        append(checksum)
        append(bytes[start...].withUnsafeBytes { DiskFile.checksum($0) })
        bytes.append(contentsOf: payload)
    }

    /// The payload after a head; nil if it is cut off or changed.
    func payload(_ bytes: UnsafeRawBufferPointer, headAt offset: Int) -> UnsafeRawBufferPointer? {
        let start = offset + Self.headLength
        guard length <= bytes.count - start else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
        return DiskFile.checksum(payload) == checksum ? payload : nil
    }

    /// The first record at or after an offset whose head is sound.
    static func next(in bytes: UnsafeRawBufferPointer, from offset: Int) -> (offset: Int, record: SpoolRecord)? {
        var offset = offset
        while offset + headLength <= bytes.count {
            if let record = SpoolRecord(bytes, at: offset) { return (offset, record) }
            offset += 1
            // The first byte of the mark.
            while offset < bytes.count, bytes[offset] != UInt8(truncatingIfNeeded: mark) { offset += 1 }
        }
        return nil
    }

    /// Goes through a file, sound or not.
    ///
    /// - Parameters:
    ///   - start: where to begin.
    ///   - record: gets each sound record, its offset and its payload. Ends the walk by returning false.
    ///   - damage: gets each range of bytes that is no sound record.
    static func walk(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int = 0,
        record body: (SpoolRecord, _ offset: Int, _ payload: UnsafeRawBufferPointer) throws -> Bool,
        damage: (Range<Int>) -> Void = { _ in }
    ) rethrows {
        var (offset, soundEnd) = (start, start)
        while let (place, record) = next(in: bytes, from: offset) {
            guard let payload = record.payload(bytes, headAt: place) else {
                // The next record is behind the payload, or sooner if a part of the file is gone.
                offset = place + headLength
                continue
            }
            if soundEnd < place { damage(soundEnd..<place) }
            offset = place + headLength + record.length
            soundEnd = offset
            guard try body(record, place, payload) else { return }
        }
        if soundEnd < bytes.count { damage(soundEnd..<bytes.count) }
    }
}
