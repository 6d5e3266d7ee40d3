import HTTPTypes

/// The entity tag of a report's bytes (RFC 9110 section 8.8.3). It is the same on every daemon.
struct EntityTag: Equatable {
    /// With its quotes.
    let text: String

    init(_ report: RenderedReport) {
        // 64-bit FNV-1a. It need not resist attacks: a reader sees only the figures of their own app.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in report.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in report.contentType.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        if let long = report.long { hash = (hash ^ long.hash) &* 0x100_0000_01B3 }
        let size = report.long?.size ?? report.bytes.count
        text = "\"\(String(hash, radix: 16))-\(String(size, radix: 16))\""
    }

    /// Whether `If-None-Match` names it. The comparison is the weak one (RFC 9110 section 13.1.2).
    func isMatched(by headers: HTTPFields) -> Bool {
        headers[values: .ifNoneMatch].contains { field in
            field.split(separator: ",").map(\.trimmingBlanks).contains { tag in
                tag == "*" || tag == text || tag.hasPrefix("W/") && tag.dropFirst(2) == text
            }
        }
    }
}
