import Text

/// A quick check of a text, since most texts contain no secret: false means that it contains none, in any encoding.
///
/// It looks for the rarest letter of each name and shape, and then at the letters beside it.
enum SecretTrace {
    static func mayOccur(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "k"), UInt8(ascii: "K"):
                if precedes(bytes, index, "ot"), follows(bytes, index, "en") { return true }
                if precedes(bytes, index, "noisses"), follows(bytes, index, "ey") { return true }
            case UInt8(ascii: "w"), UInt8(ascii: "W"):
                if precedes(bytes, index, "ss"), follows(bytes, index, "ord") { return true }
                if precedes(bytes, index, "j"), follows(bytes, index, "t") { return true }
            case UInt8(ascii: "c"), UInt8(ascii: "C"):
                if precedes(bytes, index, "es"), follows(bytes, index, "ret") { return true }
            case UInt8(ascii: "q"), UInt8(ascii: "Q"):
                if precedes(bytes, index, "erdengis") { return true }
            case UInt8(ascii: "d"), UInt8(ascii: "D"):
                // `code`, alone or after `auth`: a login result.
                if let start = start(bytes, before: index, "oc"), follows(bytes, index, "e") {
                    if start == 0 || !isNamePart(bytes[start - 1]) || precedes(bytes, start, "htua") { return true }
                    // Ignored signs before the name.
                    if SecretName.isIgnored(bytes[start - 1]), beginsName(bytes, at: start) { return true }
                }
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                if precedes(bytes, index, "f"), follows(bytes, index, "sr") || follows(bytes, index, "connect") {
                    return true
                }
                if follows(bytes, index, "earer") { return true }
                // A key of Tributary's: `trib_w_`, `trib_r_`.
                if precedes(bytes, index, "irt"), follows(bytes, index, "w") || follows(bytes, index, "r") {
                    return true
                }
            case UInt8(ascii: "|"):
                if index >= 1, bytes[index - 1].isASCIIDigit { return true }
            case UInt8(ascii: "z"), UInt8(ascii: "Z"):
                // `authorize`: a login result contains `code` and `state`.
                if precedes(bytes, index, "irohtua") { return true }
            case UInt8(ascii: "A"):
                if index >= 2, bytes[index - 1] == UInt8(ascii: "A"), bytes[index - 2] == UInt8(ascii: "E") {
                    return true
                }
            case UInt8(ascii: "J"):
                if index >= 2, bytes[index - 1] == UInt8(ascii: "y"), bytes[index - 2] == UInt8(ascii: "e") {
                    return true
                }
            case UInt8(ascii: "@"):
                if mayEndPassword(bytes, at: index) { return true }
            case UInt8(ascii: "%"):
                if mayHide(bytes, percent: index) { return true }
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                if mayBeEscape(bytes, letter: index) { return true }
            case UInt8(ascii: ";"):
                if mayEndEntity(bytes, at: index) { return true }
            case UInt8(ascii: "\\"):
                // A control character inside of a name.
                if index >= 1, index + 2 < bytes.count, isNamePart(bytes[index - 1]),
                    RedactionScan.isEscapedControl(bytes[index + 1]), isNamePart(bytes[index + 2])
                {
                    return true
                }
            case 0xEF:
                if index + 1 < bytes.count,
                    bytes[index + 1] == 0xBC || bytes[index + 1] == 0xBD
                        || bytes[index + 1] == 0xBB
                {
                    return true
                }
            case 0xE2:
                if index + 2 < bytes.count, bytes[index + 1] == 0x80 || bytes[index + 1] == 0x81,
                    bytes[index + 1] == 0x81 ? bytes[index + 2] >= 0xA0 : isInvisibleTail(bytes[index + 2])
                {
                    return true
                }
            case 0xC2:
                if index + 1 < bytes.count, bytes[index + 1] < 0xA0 || bytes[index + 1] == 0xAD { return true }
            default: continue
            }
        }
        return false
    }

    private static func isInvisibleTail(_ byte: UInt8) -> Bool {
        byte < 0x90 || (byte >= 0xA8 && byte <= 0xAF)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || SecretName.isIgnored(byte)
    }

    private static func beginsName(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var index = start - 1
        while index >= 0, SecretName.isIgnored(bytes[index]) {
            if bytes[index] == UInt8(ascii: "[") || bytes[index] < 0x20 { return true }
            index -= 1
        }
        return index < 0 || !(bytes[index].isASCIILetter || bytes[index].isASCIIDigit)
    }

    /// Whether these letters come before the position, the nearest first.
    @inline(__always)
    private static func precedes(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ letters: StaticString) -> Bool {
        start(bytes, before: index, letters) != nil
    }

    /// Where the letters before a position begin. They are given backwards.
    @inline(__always)
    private static func start(
        _ bytes: UnsafeBufferPointer<UInt8>,
        before index: Int,
        _ letters: StaticString
    ) -> Int? {
        // Most letters have another neighbour, so this decides most of them.
        guard index > 0 else { return nil }
        let neighbour = bytes[index - 1]
        guard neighbour.lowercasedASCII == letters.utf8Start[0] || SecretName.isIgnored(neighbour) else { return nil }
        var position = index
        for offset in 0..<letters.utf8CodeUnitCount {
            position -= 1
            while position >= 0, SecretName.isIgnored(bytes[position]) { position -= 1 }
            guard position >= 0, bytes[position].lowercasedASCII == letters.utf8Start[offset] else { return nil }
        }
        return position
    }

    private static func follows(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ letters: StaticString) -> Bool {
        var position = index
        for offset in 0..<letters.utf8CodeUnitCount {
            position += 1
            while position < bytes.count, SecretName.isIgnored(bytes[position]) { position += 1 }
            guard position < bytes.count, bytes[position].lowercasedASCII == letters.utf8Start[offset] else {
                return false
            }
        }
        return true
    }

    /// Whether a `:` comes before the `@`, in the same part of a URL.
    private static func mayEndPassword(_ bytes: UnsafeBufferPointer<UInt8>, at sign: Int) -> Bool {
        var index = sign - 1
        while index >= 0, sign - index <= RedactionScan.longestPassword {
            switch bytes[index] {
            case UInt8(ascii: ":"), UInt8(ascii: "%"), UInt8(ascii: ";"): return true
            case UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\""): return false
            default: index -= 1
            }
        }
        return index >= 0
    }

    /// Whether a percent-encoding, perhaps encoded several times, hides a part of a name or of a shape. Ordinary
    /// encoders do not encode letters, digits, `_` and `-`.
    private static func mayHide(_ bytes: UnsafeBufferPointer<UInt8>, percent: Int) -> Bool {
        var index = percent + 1
        while index + 1 < bytes.count {
            guard let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue else {
                // An encoded digit may follow `%25`. The caller's loop finds it.
                return false
            }
            let byte = high << 4 | low
            index += 2
            switch byte {
            case UInt8(ascii: "%"): continue
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                // Only inside of a name: `to%5B%5Dken`.
                return percent >= 1 && bytes[percent - 1].isASCIILetter
                    && !(percent >= 3 && bytes[percent - 3] == UInt8(ascii: "%"))
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: ";"), UInt8(ascii: "|"),
                0x7F, 0xEF:
                return true
            case 0xC2: return index + 1 < bytes.count && bytes[index] == UInt8(ascii: "%")
            case 0xE2: return true
            default: return byte < 0x20 || byte.isASCIILetter || byte.isASCIIDigit
            }
        }
        return false
    }

    /// Whether the `u` begins the escape of a character: `\u005f`, `%u005f`. The sign before it may itself be encoded.
    private static func mayBeEscape(_ bytes: UnsafeBufferPointer<UInt8>, letter index: Int) -> Bool {
        guard index >= 1 else { return false }
        let before = bytes[index - 1]
        if before == UInt8(ascii: "\\") || before == UInt8(ascii: "%") { return true }
        guard index >= 2 else { return false }
        let twoBefore = bytes[index - 2]
        return (twoBefore == UInt8(ascii: "5") && before | 0x20 == UInt8(ascii: "c"))
            || (twoBefore == UInt8(ascii: "2") && before == UInt8(ascii: "5"))
    }

    private static func mayEndEntity(_ bytes: UnsafeBufferPointer<UInt8>, at end: Int) -> Bool {
        var index = end - 1
        while index >= 0, end - index <= 16 {
            let byte = bytes[index]
            // `&amp;` stays as it is.
            if byte == UInt8(ascii: "&") { return end - index != 4 || bytes[index + 1] != UInt8(ascii: "a") }
            guard byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
            else {
                return false
            }
            index -= 1
        }
        return false
    }
}
