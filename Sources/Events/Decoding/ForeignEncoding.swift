/// An encoding of a whole body that is not UTF-8, known by its first bytes. No event begins with such bytes.
enum ForeignEncoding {
    case utf16
    case gzip

    init?(of body: UnsafeBufferPointer<UInt8>) {
        guard body.count >= 4 else { return nil }
        switch (body[0], body[1], body[2], body[3]) {
        case (0x1F, 0x8B, 0x08, _): self = .gzip
        case (0xFF, 0xFE, _, 0), (0xFE, 0xFF, 0, _): self = .utf16
        // Without a byte order mark: characters of ASCII, each with a zero byte.
        case (1...0x7E, 0, 1...0x7E, 0), (0, 1...0x7E, 0, 1...0x7E): self = .utf16
        default: return nil
        }
    }

    var error: BatchError {
        switch self {
        case .utf16: .malformed(reason: "the body is UTF-16; encode it as UTF-8")
        case .gzip:
            .malformed(reason: "the body is gzip data; compress it only once, and send Content-Encoding: gzip with it")
        }
    }
}
