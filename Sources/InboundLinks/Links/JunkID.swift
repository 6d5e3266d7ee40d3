import Text

/// Ids that belong to nobody (docs/events.md, *Ids that belong to nobody*): placeholders that programs send if they
/// have no id. With such an id, unrelated people would become one person.
///
/// The list contains only spellings that cannot be real ids: the words of languages and SDKs for "none", and those that
/// other services refuse too. ``UnfilledPlaceholder`` knows the spellings that have a form of their own.
package enum JunkID {
    private static let spellings: Set<String> = [
        "-1", "-", "--",
        "null", "nil", "none", "nan", "undefined",
        "n/a", "(null)", "<null>", "(none)", "<nil>", "(nil)", "[null]", "{}", "[]", "()",
        "[object object]", "[object undefined]", "[object null]", "nsnull",
        "true", "false",
        // Names of rows in reports.
        "total", "direct", "(others)",
        "anonymous", "anon", "guest", "unknown", "(unknown)", "unidentified", "not set", "(not set)", "not_set",
        "not_authenticated", "unauthenticated",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        // An ANDROID_ID that a whole series of devices shares.
        "9774d56d682e549c",
        // The errors of spreadsheets, in the languages that rename them.
        "#ref!", "#name?", "#n/a", "#value!", "#div/0!", "#num!", "#null!", "#spill!", "#calc!", "#error!", "#field!",
        "#blocked!", "#connect!", "#unknown!", "#busy!", "#data!", "#circ!", "#python!", "#external!", "#getting_data",
        "#bezug!", "#wert!", "#zahl!", "#nv", "#valeur!", "#nom?", "#nombre!", "#nul!", "#n/d", "#¡ref!", "#¿nombre?",
        "#¡valor!", "#¡num!", "#¡div/0!", "#¡nulo!", "#valore!", "#rif!", "#nome?", "#valor!", "#verw!", "#waarde!",
        "#naam?", "#getal!", "#adr!", "#nazwa?", "#arg!", "#liczba!", "#ССЫЛКА!", "#ИМЯ?", "#ЗНАЧ!", "#ДЕЛ/0!",
        "#ЧИСЛО!", "#ПУСТО!", "#Н/Д", "err:502", "err:504", "err:508", "err:520", "err:522",
    ]

    private static let longest = spellings.map(\.utf8.count).max() ?? 0

    /// Whether the id has no visible character, is one of the spellings (in any case, with blanks, invisible characters
    /// or quotation marks around it), a placeholder, the constant MAC address, or made of zeros: `0`,
    /// `000000000000000`, the nil UUID, the advertising id of a person who limits tracking.
    package static func matches(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { bytes in
            let core = UnsafeBufferPointer(rebasing: bytes[InvisibleText.trimming(bytes)])
            guard let first = core.first else { return true }
            if first == UInt8(ascii: "0"), isZeros(core) || isConstantMAC(core) { return true }
            if first == UInt8(ascii: "-"), core.contains(UInt8(ascii: "0")), isZeros(core) { return true }
            if UnfilledPlaceholder.matches(core) { return true }
            // The spellings begin with one of a few bytes, so most ids are decided here.
            guard core.count <= longest, isPossibleStart(first) else { return false }
            return spellings.contains(String(decoding: core.map(\.lowercasedASCII), as: UTF8.self))
        }
    }

    private static let starts: [Bool] = {
        var starts = [Bool](repeating: false, count: 256)
        for spelling in spellings {
            if let first = spelling.utf8.first { starts[Int(first)] = true }
        }
        return starts
    }()

    private static func isPossibleStart(_ byte: UInt8) -> Bool {
        starts[Int(byte.lowercasedASCII)]
    }

    private static func isZeros(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        id.allSatisfy { $0 == UInt8(ascii: "0") || isSeparator($0) }
    }

    /// Android answers `02:00:00:00:00:00` to every app that asks for the address of the network card.
    private static func isConstantMAC(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        guard id.count >= 12, id.count <= 17 else { return false }
        var digits = 0
        for byte in id where !isSeparator(byte) && byte != UInt8(ascii: " ") {
            guard byte == (digits == 1 ? UInt8(ascii: "2") : UInt8(ascii: "0")) else { return false }
            digits += 1
        }
        return digits == 12
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
