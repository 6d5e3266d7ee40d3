import InboundLinks
import Time

/// A link as bytes in memory: the length of the record, flags, then the fields that have a value, each after its
/// length. The layout is private to one process.
enum LinkRecord {
    static func bytes(of link: Link) -> [UInt8] {
        var body: [UInt8] = [flags(of: link)]
        var present: UInt32 = 0
        let texts = self.texts(of: link)
        for (position, text) in texts.enumerated() where text != nil { present |= 1 << UInt32(position) }
        append(UInt64(present), to: &body)
        for case let text? in texts { append(text, to: &body) }
        append(UInt64(link.refs.count), to: &body)
        for ref in link.refs { append(ref, to: &body) }
        for time in [link.expiresAt, link.createdAt, link.updatedAt] {
            append(UInt64(bitPattern: time?.microseconds ?? .min), to: &body)
        }
        var record: [UInt8] = []
        append(UInt64(body.count), to: &record)
        return record + body
    }

    static func link(in bytes: [UInt8], at offset: Int) -> Link {
        var reader = Reader(bytes: bytes, offset: offset)
        _ = reader.number()
        let flags = reader.byte()
        let present = UInt32(truncatingIfNeeded: reader.number())
        func text(_ position: UInt32) -> String? { present & 1 << position == 0 ? nil : reader.text() }
        var link = Link(host: text(0) ?? "", slug: text(1) ?? "")
        link.targetURL = text(2)
        link.mobileURL = text(3)
        link.appURL = text(4)
        link.channel = text(5).flatMap(Channel.init(rawValue:))
        link.preview.title = text(6)
        link.preview.description = text(7)
        link.preview.imageURL = text(8)
        link.preview.siteName = text(9)
        link.preview.ogType = text(10)
        link.campaign = text(11)
        link.expiredURL = text(12)
        link.note = text(13)
        link.refs = (0..<reader.number()).map { _ in reader.text() }
        link.expiresAt = reader.time()
        link.createdAt = reader.time()
        link.updatedAt = reader.time()
        link.forwardQuery = flags & 1 != 0
        link.appendClickID = flags & 2 != 0
        link.disabled = flags & 4 != 0
        link.fallback = flags & 8 != 0 ? .web : .store
        return link
    }

    /// Where the record ends that begins at an offset.
    static func end(in bytes: [UInt8], at offset: Int) -> Int {
        var reader = Reader(bytes: bytes, offset: offset)
        let length = Int(reader.number())
        return reader.offset + length
    }

    private static func texts(of link: Link) -> [String?] {
        [
            link.host, link.slug, link.targetURL, link.mobileURL, link.appURL, link.channel?.rawValue,
            link.preview.title, link.preview.description, link.preview.imageURL, link.preview.siteName,
            link.preview.ogType, link.campaign, link.expiredURL, link.note,
        ]
    }

    private static func flags(of link: Link) -> UInt8 {
        (link.forwardQuery ? 1 : 0) | (link.appendClickID ? 2 : 0) | (link.disabled ? 4 : 0)
            | (link.fallback == .web ? 8 : 0)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    /// LEB128: seven bits a byte, the lowest first.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset: Int

        mutating func byte() -> UInt8 {
            defer { offset += 1 }
            return bytes[offset]
        }

        mutating func number() -> UInt64 {
            var number: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let byte = byte()
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
        }

        mutating func text() -> String {
            let count = Int(number())
            defer { offset += count }
            return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
        }

        mutating func time() -> Timestamp? {
            let microseconds = Int64(bitPattern: number())
            return microseconds == .min ? nil : Timestamp(microseconds: microseconds)
        }
    }
}
