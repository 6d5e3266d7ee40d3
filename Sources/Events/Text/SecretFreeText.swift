import InboundLinks
import Text

/// Removes secrets (docs/links.md, *Secrets*) from every text that comes in, before anything is kept.
enum SecretFreeText {
    /// A text of an event, with `REDACTED` instead of secrets.
    static func text(_ text: String) -> String {
        Redaction.redact(text)
    }

    /// An event as sent, for the dead letters: redacted, without U+0000, at most 32 KiB, always valid text.
    ///
    /// An event that could not be read does not show where a URL in it ends. So if it contains the host or the data of
    /// a login anywhere, it is redacted like a login result: `code` and `state` too.
    static func rejectedEvent(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        // The text after this could be in the result only if long secrets shrink.
        let part = UnsafeBufferPointer(rebasing: bytes.prefix(2 * EventLimits.event))
        let text = String(decoding: part, as: UTF8.self)
        let redacted = Redaction.redact(text, loginResult: namesLoginHost(Array(part)))
        return withoutNul(redacted).cut(toBytes: EventLimits.event)
    }

    /// A name that the sender chose, for a message: redacted, at most 64 bytes, without control characters.
    static func name(_ key: String) -> String {
        let text = Self.text(key.cut(toBytes: 256)).cut(toBytes: 64)
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            clean.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
        }
        return String(clean).cut(toBytes: 64)
    }

    /// An `event_id` as sent, for an answer: redacted, at most 256 bytes.
    static func id(_ id: String) -> String {
        withoutNul(text(id.cut(toBytes: 4_096))).cut(toBytes: EventLimits.id)
    }

    private static func withoutNul(_ text: String) -> String {
        guard text.containsNul else { return text }
        return String(decoding: text.utf8.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }, as: UTF8.self)
    }

    /// Whether the text contains `://authorize`, `://user@authorize` or their like, however they are encoded.
    private static func namesLoginHost(_ text: [UInt8]) -> Bool {
        var text = text
        // Real senders nest a URL in JSON in a URL, so eight layers are enough.
        for _ in 0..<8 {
            if loginMarks.contains(where: { holds($0, text) }) || namesUserOfLoginHost(text) { return true }
            guard let decoded = decodedOnce(text) else { return false }
            text = decoded
        }
        return false
    }

    private static let loginMarks = ["://authorize", "fbconnect://", "fb_login"].map { Array($0.utf8) }

    private static func holds(_ word: [UInt8], _ text: [UInt8]) -> Bool {
        text.indices.contains { text[$0].lowercasedASCII == word[0] && begins(word, at: $0, text) }
    }

    private static func begins(_ word: [UInt8], at start: Int, _ text: [UInt8]) -> Bool {
        start + word.count <= text.count
            && word.indices.allSatisfy { text[start + $0].lowercasedASCII == word[$0] }
    }

    /// Whether a host `authorize` follows an `@` after `://`.
    private static func namesUserOfLoginHost(_ text: [UInt8]) -> Bool {
        let (slashes, host) = (Array("://".utf8), Array("authorize".utf8))
        var isAuthority = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "/"): isAuthority = index >= 2 && begins(slashes, at: index - 2, text)
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), 0x20: isAuthority = false
            case UInt8(ascii: "@") where isAuthority:
                if begins(host, at: index + 1, text) { return true }
            default: break
            }
        }
        return false
    }

    /// The text without one layer of percent-encodings and JSON escapes; nil if it has none.
    private static func decodedOnce(_ text: [UInt8]) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            if text[position] == UInt8(ascii: "%"), let byte = byte(text, at: position + 1) {
                decoded.append(byte)
                position += 3
            } else if text[position] == UInt8(ascii: "\\"), position + 5 < text.count,
                text[position + 1] == UInt8(ascii: "u"), let byte = byte(text, at: position + 4)
            {
                decoded.append(byte)
                position += 6
            } else if text[position] == UInt8(ascii: "\\"), position + 1 < text.count {
                position += 1
                decoded.append(text[position])
                position += 1
            } else {
                decoded.append(text[position])
                position += 1
            }
        }
        return decoded.count < text.count ? decoded : nil
    }

    private static func byte(_ text: [UInt8], at position: Int) -> UInt8? {
        guard position + 1 < text.count, let high = text[position].hexadecimalValue,
            let low = text[position + 1].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}
