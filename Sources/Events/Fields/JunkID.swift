import Text

/// Ids that belong to nobody (docs/events.md, *Ids that belong to nobody*): placeholders that programs send if they
/// have no id. With such an id, unrelated people would become one person.
///
/// The list contains only spellings that cannot be real ids: the words of languages and SDKs for "none", and those that
/// other services refuse too.
enum JunkID {
    private static let spellings: Set<String> = [
        "-1", "-", "--",
        "null", "nil", "none", "nan", "undefined",
        "n/a", "#n/a", "(null)", "<null>", "(none)", "<nil>", "(nil)", "[null]", "{}", "[]", "()",
        "[object object]", "[object undefined]", "[object null]", "nsnull",
        "true", "false",
        "anonymous", "anon", "guest", "unknown", "(unknown)", "unidentified", "not set", "(not set)", "not_set",
        "not_authenticated", "unauthenticated",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        // An ANDROID_ID that a whole series of devices shares.
        "9774d56d682e549c",
    ]

    private static let longest = spellings.map(\.utf8.count).max() ?? 0

    /// Whether the id is blank, one of the spellings (in any case, with blanks or quotation marks around it), or made
    /// of zeros: `0`, `000000000000000`, the nil UUID, the advertising id of a person who limits tracking.
    static func matches(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { bytes in
            let core = trimmed(bytes)
            if core.isEmpty { return true }
            if core.contains(UInt8(ascii: "0")), core.allSatisfy({ isZeroOrSeparator($0) }) { return true }
            guard core.count <= longest else { return false }
            // The spellings begin with one of a few bytes, so most ids are decided here.
            guard isPossibleStart(core[core.startIndex]) else { return false }
            let spelling = String(unsafeUninitializedCapacity: core.count) { lowered in
                for (position, byte) in core.enumerated() { lowered[position] = byte.lowercasedASCII }
                return core.count
            }
            return spellings.contains(spelling)
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

    private static func isZeroOrSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var core = bytes[...]
        while let first = core.first, isPadding(first) { core = core.dropFirst() }
        while let last = core.last, isPadding(last) { core = core.dropLast() }
        return core
    }

    private static func isPadding(_ byte: UInt8) -> Bool {
        // A no-break space does not count: its bytes are parts of other letters too.
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }
}
