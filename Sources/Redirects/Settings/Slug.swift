import Foundation
import InboundLinks
import Text

/// The last part of a link's address: 1–128 bytes of UTF-8 in Unicode's form NFC.
package enum Slug {
    /// The daemon's own paths. Nobody can reach a link of this name.
    package static let reserved: Set<String> = [
        "v1", ".well-known", "healthz", "readyz", "metrics", "openapi.yaml", "robots.txt", "favicon.ico",
        "apple-app-site-association", "dashboard",
    ]

    /// Letters and digits that nobody takes for others: without `0`, `1`, `i`, `l` and `o`.
    package static let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")
    package static let madeLength = 7

    /// A new slug. 27 thousand million are possible.
    package static func make(using random: inout some RandomNumberGenerator) -> String {
        String((0..<madeLength).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// The slug that a text gives.
    package static func checked(_ text: String) throws(LinkFault) -> String {
        let slug = normalised(text)
        guard !slug.isEmpty else { throw LinkFault(.invalidSlug, "slug", "slug is empty") }
        guard slug.utf8.count <= LinkLimits.slug else {
            throw LinkFault(.invalidSlug, "slug", "slug is longer than \(LinkLimits.slug) bytes")
        }
        if let scalar = slug.unicodeScalars.first(where: isForbidden) {
            throw LinkFault(.invalidSlug, "slug", "slug must not contain \(name(of: scalar))")
        }
        if slug == "." || slug == ".." {
            throw LinkFault(.invalidSlug, "slug", "slug must not be a dot or two dots: browsers remove them")
        }
        if reserved.contains(folded(slug)) {
            throw LinkFault(.reservedSlug, "slug", "slug is a path of the daemon itself; choose another")
        }
        return slug
    }

    /// The text in NFC, in which `ü` is one character however it was typed.
    package static func normalised(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Whether programs take the sign into a link that they find before it in a text: it closes or ends something in
    /// any script, is a mark of Markdown, or nobody sees it.
    private static func isAttachment(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if InvisibleText.isInvisible(value) { return true }
        // The full-width signs of East Asia are those of ASCII.
        let narrow = 0xFF01...0xFF5E ~= value ? value - 0xFEE0 : value
        if let byte = UInt8(exactly: narrow), byte < 0x80 {
            return byte <= 0x20 || byte == 0x7F || ".,;:!?)]}>\"'*_~|`".utf8.contains(byte)
        }
        return switch scalar.properties.generalCategory {
        // „Text“ and »Text« close with the signs that open “text” and «text».
        case .closePunctuation, .finalPunctuation, .initialPunctuation, .otherPunctuation: true
        default: false
        }
    }

    /// The text without what sticks to its end.
    static func withoutAttachment(_ text: String, orSlashes: Bool = false) -> String {
        var scalars = text.unicodeScalars
        while let last = scalars.last, isAttachment(last) || orSlashes && last == "/" { scalars.removeLast() }
        return String(scalars)
    }

    /// The slug without its case. Slugs that differ only by case have the same.
    static func folded(_ slug: String) -> String {
        if slug.utf8.allSatisfy({ $0 < 0x80 }) {
            guard slug.utf8.contains(where: { $0 &- UInt8(ascii: "A") < 26 }) else { return slug }
            return String(decoding: slug.utf8.map(\.lowercasedASCII), as: UTF8.self)
        }
        return slug.lowercased().precomposedStringWithCanonicalMapping
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "?", "#", "+", "%": return true
        // Joiners: emoji and some scripts need them.
        case "\u{200C}", "\u{200D}": return false
        default: break
        }
        if scalar.properties.isWhitespace { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: return true
        default: return false
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
            ? "'\(scalar)'" : "blanks, control characters or invisible characters"
    }
}
