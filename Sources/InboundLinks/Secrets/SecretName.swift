import Text

/// The names whose values are never stored, logged or echoed (docs/links.md, *Secrets*).
enum SecretName {
    /// Names that count everywhere, also inside a longer name such as `fb_access_token`.
    static let everywhere: [StaticString] = [
        "access_token", "acs_token", "signed_request", "shared_secret",
    ]

    /// Names that count only in a login result, and only as whole names. Facebook's newer SDKs send `id_token` there.
    static let inLoginResult: [StaticString] = ["code", "state", "id_token"]

    /// A quick check of a text: false means that it contains no secret in any encoding. Most links contain none.
    static func mayOccur(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "_"):
                if end(bytes, underscore: index) != nil { return true }
            case UInt8(ascii: "z"), UInt8(ascii: "Z"):
                // `authorize`: a login result contains `code` and `state`.
                if ends(bytes, at: index, with: "authori") { return true }
            case UInt8(ascii: "%"):
                if mayHideLetter(bytes, percent: index) { return true }
            case UInt8(ascii: "u"):
                // `\u005f`; the backslash may itself be encoded.
                if index >= 1, bytes[index - 1] == UInt8(ascii: "\\") { return true }
                if index >= 2, bytes[index - 2] == UInt8(ascii: "5"), bytes[index - 1] | 0x20 == UInt8(ascii: "c") {
                    return true
                }
            default: continue
            }
        }
        return false
    }

    /// Where names end in a raw text; only names without an encoded letter.
    static func plainEnds(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        bytes.indices.compactMap { index in
            bytes[index] == UInt8(ascii: "_") ? end(bytes, underscore: index) : nil
        }
    }

    /// The end of the secret's name that contains this underscore; nil if there is none.
    private static func end(_ bytes: UnsafeBufferPointer<UInt8>, underscore index: Int) -> Int? {
        guard index + 1 < bytes.count else { return nil }
        switch bytes[index + 1] | 0x20 {
        case UInt8(ascii: "t"):
            guard begins(bytes, at: index + 1, with: "token"),
                ends(bytes, at: index, with: "access") || ends(bytes, at: index, with: "acs")
            else { return nil }
            return index + 6
        case UInt8(ascii: "r"):
            guard begins(bytes, at: index + 1, with: "request"), ends(bytes, at: index, with: "signed") else {
                return nil
            }
            return index + 8
        case UInt8(ascii: "s"):
            guard begins(bytes, at: index + 1, with: "secret"), ends(bytes, at: index, with: "shared") else {
                return nil
            }
            return index + 7
        default:
            return nil
        }
    }

    /// Whether a percent-encoding, perhaps encoded several times, hides a letter, a digit or `_`. Ordinary encoders do
    /// not encode those.
    private static func mayHideLetter(_ bytes: UnsafeBufferPointer<UInt8>, percent: Int) -> Bool {
        var index = percent + 1
        while index + 1 < bytes.count {
            guard let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue else {
                // An encoded digit may follow `%25`. The caller's loop finds it.
                return false
            }
            let byte = high << 4 | low
            index += 2
            if byte == UInt8(ascii: "%") { continue }
            return byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
        }
        return false
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, with text: StaticString) -> Bool {
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[start + offset].lowercasedASCII != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private static func ends(_ bytes: UnsafeBufferPointer<UInt8>, at end: Int, with text: StaticString) -> Bool {
        let start = end - text.utf8CodeUnitCount
        return start >= 0 && begins(bytes, at: start, with: text)
    }
}
