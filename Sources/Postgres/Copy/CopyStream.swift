/// Reads PostgreSQL's binary COPY format (documentation of `COPY`, "Binary Format"), message by message. The server
/// sends one row in each message, the header before the first row, and the trailer last.
struct CopyStream {
    static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00,  // PGCOPY\n\377\r\n\0
    ]
    private var hasHeader = false
    private var hasTrailer = false

    mutating func read(
        _ message: UnsafeRawBufferPointer,
        _ body: (inout PostgresCopyRow) throws -> Void
    ) throws {
        var position = 0
        if !hasHeader {
            position = try Self.readHeader(message)
            hasHeader = true
        }
        while position < message.count {
            guard !hasTrailer, position + 2 <= message.count else { throw Self.malformed }
            let fieldCount = Int16(bigEndian: message.loadUnaligned(fromByteOffset: position, as: Int16.self))
            position += 2
            if fieldCount == -1 {
                hasTrailer = true
                continue
            }
            guard fieldCount >= 0 else { throw Self.malformed }
            var row = PostgresCopyRow(fieldCount: Int(fieldCount), bytes: message, position: position)
            try body(&row)
            position = try row.skipToEnd()
        }
    }

    private static func readHeader(_ message: UnsafeRawBufferPointer) throws(PostgresError) -> Int {
        let size = signature.count + 8
        guard message.count >= size, message.prefix(signature.count).elementsEqual(signature) else { throw malformed }
        let extensionSize = message.loadUnaligned(fromByteOffset: signature.count + 4, as: UInt32.self)
        let end = size + Int(UInt32(bigEndian: extensionSize))
        guard end <= message.count else { throw malformed }
        return end
    }

    private static var malformed: PostgresError {
        PostgresError(.unexpectedResult, "the COPY stream is not in PostgreSQL's binary format")
    }
}
