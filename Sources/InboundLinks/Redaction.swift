/// Replaces secrets in any text by `REDACTED`: URLs, JSON, form bodies, one inside the other, encoded however deep, and
/// texts that are none of these (DOMAIN.md section 1, "Secrets"). All else stays as it is, byte for byte.
package enum Redaction {
    /// The text without its secrets.
    ///
    /// - Parameters:
    ///   - text: anything.
    ///   - loginResult: the text is a login result or a part of one: `code` and `state` are secrets too. Login results
    ///     that stand as URLs inside the text are found without this.
    /// - Returns: the text itself where it holds no secret. Redacting twice changes nothing more.
    package static func redact(_ text: String, loginResult: Bool = false) -> String {
        guard loginResult || mayBeNeeded(for: text) else { return text }
        let raw = Array(text.utf8)
        var scan = RedactionScan(raw, loginResult: loginResult)
        let replacements = scan.replacements()
        guard !replacements.isEmpty else { return text }

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
        return String(decoding: redacted, as: UTF8.self)
    }

    /// False means that the text surely holds no secret, nor does anything that is decoded from it.
    static func mayBeNeeded(for text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { SecretName.mayOccur(in: $0) } ?? true
    }

    private static let word: [UInt8] = Array("REDACTED".utf8)
}
