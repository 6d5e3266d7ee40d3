import Time

/// A link as bytes in memory: the length of the record, flags, which texts there are, then host, slug and the fields
/// that have a value, each after its length. The layout is private to one process.
enum LinkRecord {
    /// The fields of each kind, in the order of the record. A link has at most 32 texts and 8 flags.
    private static let texts = LinkField.all.compactMap { field -> LinkField.Path<String?>? in
        switch field.value {
        case .text(let path, _), .choice(let path, _): path
        default: nil
        }
    }
    private static let lists = LinkField.all.compactMap { field -> LinkField.Path<[String]>? in
        if case .list(let path) = field.value { path } else { nil }
    }
    private static let flags = LinkField.all.compactMap { field -> LinkField.Path<Bool>? in
        if case .flag(let path) = field.value { path } else { nil }
    }
    private static let times = LinkField.all.compactMap { field -> LinkField.Path<Timestamp?>? in
        if case .time(let path) = field.value { path } else { nil }
    }

    static func bytes(of link: Link) -> [UInt8] {
        var body: [UInt8] = []
        var present: UInt32 = 0
        // What a new link has, too, takes no room.
        for (position, path) in texts.enumerated() where link[keyPath: path] != Link.blank[keyPath: path] {
            present |= 1 << UInt32(position)
        }
        var raised: UInt8 = 0
        for (position, path) in flags.enumerated() where link[keyPath: path] { raised |= 1 << UInt8(position) }
        body.append(raised)
        append(UInt64(present), to: &body)
        append(link.host, to: &body)
        append(link.slug, to: &body)
        for (position, path) in texts.enumerated() where present & 1 << UInt32(position) != 0 {
            append(link[keyPath: path] ?? "", to: &body)
        }
        for path in lists {
            append(UInt64(link[keyPath: path].count), to: &body)
            for text in link[keyPath: path] { append(text, to: &body) }
        }
        for path in times { append(UInt64(bitPattern: link[keyPath: path]?.microseconds ?? .min), to: &body) }
        var record: [UInt8] = []
        append(UInt64(body.count), to: &record)
        return record + body
    }

    static func link(in bytes: [UInt8], at offset: Int) -> Link {
        var reader = Reader(bytes: bytes, offset: offset)
        _ = reader.number()
        let raised = reader.byte()
        let present = UInt32(truncatingIfNeeded: reader.number())
        var link = Link(host: reader.text(), slug: reader.text())
        for (position, path) in texts.enumerated() where present & 1 << UInt32(position) != 0 {
            link[keyPath: path] = reader.text()
        }
        for path in lists { link[keyPath: path] = (0..<reader.number()).map { _ in reader.text() } }
        for path in times { link[keyPath: path] = reader.time() }
        for (position, path) in flags.enumerated() { link[keyPath: path] = raised & 1 << UInt8(position) != 0 }
        return link
    }

    /// Where the record ends that begins at an offset.
    static func end(in bytes: [UInt8], at offset: Int) -> Int {
        var reader = Reader(bytes: bytes, offset: offset)
        let length = Int(reader.number())
        return reader.offset + length
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
