import InboundLinks

/// The first touch of every text that comes in: secrets (DOMAIN.md section 1) leave it here, before anything is kept.
enum SecretFreeText {
    /// A text of an event, with `REDACTED` in the place of secrets.
    static func text(_ text: String) -> String {
        Redaction.redact(text)
    }

    /// An event as it came, for the dead letters: redacted, without U+0000, at most 32 KiB, always text.
    static func rejectedEvent(_ bytes: UnsafeBufferPointer<UInt8>, loginResult: Bool) -> String {
        // What lies behind can no longer show in the result, save where long secrets shrink.
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes.prefix(2 * EventLimits.event)), as: UTF8.self)
        return withoutNul(Redaction.redact(text, loginResult: loginResult)).cut(toBytes: EventLimits.event)
    }

    /// A name that the sender made up, for a message: redacted, short, without line breaks and other controls.
    static func name(_ key: String) -> String {
        let text = Self.text(key.cut(toBytes: 256)).cut(toBytes: 64)
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            clean.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
        }
        return String(clean)
    }

    static func withoutNul(_ text: String) -> String {
        guard text.containsNul else { return text }
        return String(decoding: text.utf8.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }, as: UTF8.self)
    }
}
