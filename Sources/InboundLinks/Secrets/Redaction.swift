/// Replaces secrets in any text by `REDACTED`: URLs, JSON, form bodies, one inside the other, encoded however deep, and
/// texts that are none of these (docs/links.md, *Secrets*). All else stays as it is, byte for byte.
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
        guard let redacted = redacted(Array(text.utf8), loginResult: loginResult) else { return text }
        return String(decoding: redacted, as: UTF8.self)
    }

    /// The bytes of a text, which need not be UTF-8, without its secrets; nil where it holds none.
    package static func redact(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard SecretName.mayOccur(in: bytes) else { return nil }
        return redacted(Array(bytes), loginResult: false)
    }

    /// Where the values of secrets stand in a text.
    package static func secrets(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard SecretName.mayOccur(in: bytes) else { return [] }
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

    /// False means that the text surely holds no secret, nor does anything that is decoded from it.
    static func mayBeNeeded(for text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { SecretName.mayOccur(in: $0) } ?? true
    }

    /// What stands in the place of a secret.
    package static let word: [UInt8] = Array("REDACTED".utf8)
}
