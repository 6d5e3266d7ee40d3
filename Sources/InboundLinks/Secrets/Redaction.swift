/// Replaces secrets in any text with `REDACTED` (docs/links.md, *Secrets*): in URLs, JSON and form bodies, nested and
/// encoded to any depth, and in other texts. Everything else stays the same, byte for byte.
package enum Redaction {
    /// The text without its secrets.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - loginResult: whether the text is a login result or a part of one. Then `code`, `state` and `id_token` are
    ///     secrets too. Login results that are URLs inside the text are found without this.
    /// - Returns: the text itself if it contains no secret. Redacting the result again does not change it.
    package static func redact(_ text: String, loginResult: Bool = false) -> String {
        guard loginResult || mayBeNeeded(for: text) else { return text }
        guard let redacted = redacted(Array(text.utf8), loginResult: loginResult) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The bytes of a text without its secrets; nil if it contains none. The bytes need not be UTF-8.
    package static func redact(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard SecretTrace.mayOccur(in: bytes) else { return nil }
        return redacted(Array(bytes), loginResult: false)
    }

    /// The ranges of the values of secrets in a text.
    package static func secrets(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard SecretTrace.mayOccur(in: bytes) else { return [] }
        var scan = RedactionScan(Array(bytes), loginResult: false)
        return scan.replacements().map(\.range)
    }

    private static func redacted(_ raw: [UInt8], loginResult: Bool) -> [UInt8]? {
        var scan = RedactionScan(raw, loginResult: loginResult)
        let replacements = scan.replacements()
        guard !replacements.isEmpty else { return nil }

        var redacted: [UInt8] = []
        redacted.reserveCapacity(raw.count + replacements.count * 10)
        var copied = 0
        for replacement in replacements {
            redacted += raw[copied..<replacement.range.lowerBound]
            redacted += raw[replacement.quote]
            redacted += word
            redacted += raw[replacement.quote]
            copied = replacement.range.upperBound
        }
        redacted += raw[copied...]
        return redacted
    }

    /// False means that the bytes contain no secret, and that no text decoded from them does.
    package static func mayBeNeeded(for bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        SecretTrace.mayOccur(in: bytes)
    }

    /// False means that the text contains no secret, and that no text decoded from it does.
    static func mayBeNeeded(for text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { SecretTrace.mayOccur(in: $0) } ?? true
    }

    /// The text that replaces a secret.
    package static let word: [UInt8] = Array("REDACTED".utf8)
}
