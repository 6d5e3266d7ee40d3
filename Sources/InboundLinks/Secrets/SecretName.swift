import Text

/// The names whose values are never stored, logged or echoed (docs/links.md, *Secrets*).
enum SecretName {
    /// Wherever they occur, also as part of a longer name. `fb_access_token` ends in the first.
    static let everywhere: [StaticString] = [
        "access_token", "acs_token", "signed_request", "shared_secret",
    ]

    /// Only in a login result, and only as whole names. An ID token is one that Facebook's newer SDKs send there.
    static let inLoginResult: [StaticString] = ["code", "state", "id_token"]

    /// A quick look at a text: false means that it surely holds no secret, in whatever spelling. Most links hold none.
    static func mayOccur(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "_"):
                if end(bytes, underscore: index) != nil { return true }
            case UInt8(ascii: "z"), UInt8(ascii: "Z"):
                // `authorize`: a login result holds `code` and `state`.
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

    /// Where the names end that stand in a raw text with no letter of theirs encoded.
    static func plainEnds(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        bytes.indices.compactMap { index in
            bytes[index] == UInt8(ascii: "_") ? end(bytes, underscore: index) : nil
        }
    }

    /// The end of the name that an underscore stands in.
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

    /// Whether a percent-encoding, perhaps encoded again, may stand for a letter, a digit, `_` or `%`. Honest encoders
    /// leave those alone.
    private static func mayHideLetter(_ bytes: UnsafeBufferPointer<UInt8>, percent: Int) -> Bool {
        var index = percent + 1
        while index + 1 < bytes.count {
            guard let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue else {
                // After `%25` an encoded digit may follow, which is then met by the loop of the caller.
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
