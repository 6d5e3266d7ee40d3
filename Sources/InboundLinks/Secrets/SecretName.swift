import Text

/// The names whose values are never stored, logged or echoed (docs/links.md, *Secrets*).
///
/// A name is compared without case, `_`, `-`, `[`, `]` and control characters. This value takes the characters of a
/// text one by one and knows whether a secret's name has just ended.
struct SecretName {
    enum Match {
        /// The name ends here: `user_token`, not `tokens`.
        case whole
        /// As `whole`, but the name is the single word `token`, which sentences contain too.
        case word
        /// Anything may follow in the name: `access_token[0]`, `fbsr_123`.
        case beginning
    }

    /// The last 16 letters, digits and dots of the name, in lower case.
    private var last: UInt64 = 0
    private var before: UInt64 = 0
    /// How many there are since the name began, since the last `[`, and since the last control character, which may
    /// also stand before a name.
    private var count = 0
    private var countSinceBracket = 0
    private var countSinceControl = 0

    mutating func take(_ byte: UInt8) {
        if byte.isASCIILetter || byte.isASCIIDigit || byte == "." || byte >= 0x80 {
            before = before << 8 | last >> 56
            last = last << 8 | UInt64(byte.lowercasedASCII)
            count += 1
            countSinceBracket += 1
            countSinceControl += 1
        } else if byte == "[" {
            countSinceBracket = 0
        } else if byte < 0x20 || byte == 0x7F {
            countSinceControl = 0
        } else if !Self.isIgnored(byte) {
            self = SecretName()
        }
    }

    /// Whether a name of a secret ends with the character taken last.
    func match(inLoginResult: Bool) -> Match? {
        switch UInt8(truncatingIfNeeded: last) {
        case "n":
            if last == Self.authorizationTail, before & 0xFF_FFFF_FFFF == Self.authorizationHead, isWhole(13) {
                return .whole
            }
            guard ends(Self.token, 5) else { return nil }
            if ends(Self.acs, 8) || (last == Self.accessTail && before & 0xFF_FFFF == Self.accessHead) {
                return .beginning
            }
            return isWhole(5) ? .word : .whole
        case "t":
            if ends(Self.secret, 6) {
                return last == Self.sharedTail && before & 0xFFFF_FFFF == Self.sharedHead ? .beginning : .whole
            }
            if last == Self.signedTail, before & 0xFF_FFFF_FFFF == Self.signedHead { return .beginning }
            return ends(Self.jwt, 3) && isWhole(3) ? .whole : nil
        case "d":
            return last == Self.password ? .whole : nil
        case "f":
            return last == Self.proofTail && before & 0xFF_FFFF == Self.proofHead ? .whole : nil
        case "y":
            return last == Self.sessionTail && before & 0xFFFF == Self.sessionHead && isWhole(10) ? .whole : nil
        case "r":
            return ends(Self.fbsr, 4) && isWhole(4) ? .beginning : nil
        case "e":
            if last == Self.authCode, isWhole(8) { return .whole }
            guard inLoginResult else { return nil }
            return (ends(Self.code, 4) && isWhole(4)) || (ends(Self.state, 5) && isWhole(5)) ? .whole : nil
        default: return nil
        }
    }

    /// Whether the whole name is this word, of at most 8 letters.
    func isName(_ word: StaticString) -> Bool {
        isWhole(word.utf8CodeUnitCount) && ends(Self.packed(word), word.utf8CodeUnitCount)
    }

    /// Whether the name begins or ends with the character taken last, and is this word so far.
    private func isWhole(_ length: Int) -> Bool {
        count == length || countSinceBracket == length || countSinceControl == length
    }

    private func ends(_ word: UInt64, _ length: Int) -> Bool {
        length == 8 ? last == word : last & (1 << UInt64(length * 8) - 1) == word
    }

    @inline(__always)
    static func isIgnored(_ byte: UInt8) -> Bool {
        byte == "_" || byte == "-" || byte == "[" || byte == "]" || byte < 0x20 || byte == 0x7F
    }

    static func packed(_ word: StaticString) -> UInt64 {
        var packed: UInt64 = 0
        for offset in 0..<word.utf8CodeUnitCount { packed = packed << 8 | UInt64(word.utf8Start[offset]) }
        return packed
    }

    private static let token = packed("token")
    private static let acs = packed("acstoken")
    private static let accessHead = packed("acc")
    private static let accessTail = packed("esstoken")
    private static let secret = packed("secret")
    private static let sharedHead = packed("shar")
    private static let sharedTail = packed("edsecret")
    private static let signedHead = packed("signe")
    private static let signedTail = packed("drequest")
    private static let jwt = packed("jwt")
    private static let password = packed("password")
    private static let proofHead = packed("sec")
    private static let proofTail = packed("retproof")
    private static let sessionHead = packed("se")
    private static let sessionTail = packed("ssionkey")
    private static let fbsr = packed("fbsr")
    private static let authCode = packed("authcode")
    private static let authorizationHead = packed("autho")
    private static let authorizationTail = packed("rization")
    private static let code = packed("code")
    private static let state = packed("state")
}
