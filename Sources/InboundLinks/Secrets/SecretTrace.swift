import Text

/// A quick check of a text, since most texts contain no secret: false means that it contains none, in any encoding.
///
/// It looks for the rarest letter of each name and shape, and then at the letters beside it.
struct SecretTrace {
    private let bytes: UnsafeBufferPointer<UInt8>

    static func mayOccur(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let trace = SecretTrace(bytes: bytes)
        return bytes.indices.contains { trace.mayOccur(at: $0) }
    }

    @inline(__always)
    private func mayOccur(at index: Int) -> Bool {
        switch bytes[index] {
        case "k", "K": spells("token", at: index, letter: 2) || spells("sessionkey", at: index, letter: 7)
        case "w", "W": spells("ssword", at: index, letter: 2) || spells("jwt", at: index, letter: 1)
        case "c", "C": spells("secret", at: index, letter: 2)
        case "q", "Q": spells("signedreq", at: index, letter: 8)
        case "d", "D": spells("code", at: index, letter: 2) && beginsCode(at: index)
        case "b", "B":
            spells("fbsr", at: index, letter: 1) || spells("fbconnect", at: index, letter: 1)
                || spells("bearer", at: index, letter: 0)
                // A key of Tributary's.
                || spells("tribw", at: index, letter: 3) || spells("tribr", at: index, letter: 3)
                || spells("tribm", at: index, letter: 3)
        case "|": index >= 1 && bytes[index - 1].isASCIIDigit
        // A login result contains `code` and `state`.
        case "z", "Z": spells("authoriz", at: index, letter: 7)
        case "A": index >= 2 && bytes[index - 1] == "A" && bytes[index - 2] == "E"
        case "J": index >= 2 && bytes[index - 1] == "y" && bytes[index - 2] == "e"
        case "@": mayEndPassword(at: index)
        case "%": mayHide(percent: index)
        case "u", "U": mayBeEscape(letter: index)
        case ";": mayEndEntity(at: index)
        case "\\":
            // A control character inside of a name.
            index >= 1 && index + 2 < bytes.count && Self.isNamePart(bytes[index - 1])
                && RedactionScan.isEscapedControl(bytes[index + 1]) && Self.isNamePart(bytes[index + 2])
        // Full-width and invisible characters.
        case 0xEF: index + 1 < bytes.count && (0xBB...0xBD).contains(bytes[index + 1])
        case 0xE2:
            index + 2 < bytes.count
                && (bytes[index + 1] == 0x80 && (bytes[index + 2] < 0x90 || (0xA8...0xAF).contains(bytes[index + 2]))
                    || bytes[index + 1] == 0x81 && bytes[index + 2] >= 0xA0)
        case 0xC2: index + 1 < bytes.count && (bytes[index + 1] < 0xA0 || bytes[index + 1] == 0xAD)
        default: false
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || SecretName.isIgnored(byte)
    }

    /// Whether the byte is this letter of a word. Signs that a name ignores may stand between the letters.
    @inline(__always)
    private func spells(_ word: StaticString, at index: Int, letter: Int) -> Bool {
        // Most letters have another neighbour, so this decides most of them.
        if letter > 0 {
            guard index > 0 else { return false }
            let neighbour = bytes[index - 1]
            guard neighbour.lowercasedASCII == word.utf8Start[letter - 1] || SecretName.isIgnored(neighbour) else {
                return false
            }
        }
        return start(of: word, at: index, letter: letter) != nil
            && rest(of: word, after: index, letter: letter)
    }

    /// Where a word begins whose letter is at a position; nil if the letters before it are others.
    private func start(of word: StaticString, at index: Int, letter: Int) -> Int? {
        var position = index
        for offset in (0..<letter).reversed() {
            position -= 1
            while position >= 0, SecretName.isIgnored(bytes[position]) { position -= 1 }
            guard position >= 0, bytes[position].lowercasedASCII == word.utf8Start[offset] else { return nil }
        }
        return position
    }

    private func rest(of word: StaticString, after index: Int, letter: Int) -> Bool {
        var position = index
        for offset in (letter + 1)..<max(word.utf8CodeUnitCount, letter + 1) {
            position += 1
            while position < bytes.count, SecretName.isIgnored(bytes[position]) { position += 1 }
            guard position < bytes.count, bytes[position].lowercasedASCII == word.utf8Start[offset] else {
                return false
            }
        }
        return true
    }

    /// Whether the `code` around its `d` is a name, alone or after `auth`, and not the end of another.
    private func beginsCode(at index: Int) -> Bool {
        guard var first = start(of: "code", at: index, letter: 2), first > 0 else { return true }
        if start(of: "authcode", at: index, letter: 6) != nil { return true }
        while first > 0, SecretName.isIgnored(bytes[first - 1]) {
            if bytes[first - 1] == "[" || bytes[first - 1] < 0x20 { return true }
            first -= 1
        }
        return first == 0 || !Self.isNamePart(bytes[first - 1])
    }

    /// Whether a `:` comes before the `@`, in the same part of a URL.
    private func mayEndPassword(at sign: Int) -> Bool {
        for byte in bytes[max(0, sign - RedactionScan.longestPassword)..<sign].reversed() {
            switch byte {
            case ":", "%", ";": return true
            case " ", "/", "\"": return false
            default: continue
            }
        }
        return sign > RedactionScan.longestPassword
    }

    /// Whether a percent-encoding, perhaps encoded several times, hides a part of a name or of a shape. Ordinary
    /// encoders do not encode letters, digits, `_` and `-`.
    private func mayHide(percent: Int) -> Bool {
        var index = percent + 1
        while index + 1 < bytes.count {
            // An encoded digit may follow `%25`. It is found at its own `%`.
            guard let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue else {
                return false
            }
            let byte = high << 4 | low
            index += 2
            switch byte {
            case "%": continue
            case "[", "]":
                // Only inside of a name: `to%5B%5Dken`.
                return percent >= 1 && bytes[percent - 1].isASCIILetter
                    && !(percent >= 3 && bytes[percent - 3] == "%")
            case "@", ";", "|", 0xE2, 0xEF: return true
            case 0xC2: return index + 1 < bytes.count && bytes[index] == "%"
            default: return Self.isNamePart(byte)
            }
        }
        return false
    }

    /// Whether the `u` begins the escape of a character: `\u005f`, `%u005f`. The sign before it may itself be encoded.
    private func mayBeEscape(letter index: Int) -> Bool {
        guard index >= 1 else { return false }
        let sign = bytes[index - 1]
        if sign == "\\" || sign == "%" { return true }
        return index >= 2 && (bytes[index - 2] == "5" && sign | 0x20 == "c" || bytes[index - 2] == "2" && sign == "5")
    }

    private func mayEndEntity(at end: Int) -> Bool {
        var index = end - 1
        while index >= 0, end - index <= 16 {
            let byte = bytes[index]
            // `&amp;` stays as it is.
            if byte == "&" { return end - index != 4 || bytes[index + 1] != "a" }
            guard byte.isASCIILetter || byte.isASCIIDigit || byte == "#" || byte == ";" else { return false }
            index -= 1
        }
        return false
    }
}
