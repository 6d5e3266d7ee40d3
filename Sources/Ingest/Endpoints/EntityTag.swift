import HTTPTypes

/// Names the bytes of a report (RFC 9110 section 8.8.3), the same on every daemon.
struct EntityTag: Equatable {
    /// With its quotes.
    let text: String

    init(_ report: RenderedReport) {
        // FNV-1a of 64 bits. Its only enemy is chance: who asks gets figures of an app of their own.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in report.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in report.contentType.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        text = "\"\(String(hash, radix: 16))-\(String(report.bytes.count, radix: 16))\""
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
