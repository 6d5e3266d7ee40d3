/// Finds aliases (`*name`) in YAML. Nested ones grow to any size, and a parser that compares keys reads them whole.
/// None of our files needs one, so they are refused before the text is parsed.
package enum YAMLAliases {
    /// What is wrong if the text has an alias whose anchor (`&name`) it has too, be it in a comment. An alias without
    /// an anchor is an error of the parser's.
    package static func problem(in yaml: String) -> String? {
        let bytes = Array(yaml.utf8)
        guard bytes.contains(UInt8(ascii: "*")), bytes.contains(UInt8(ascii: "&")) else { return nil }
        var anchors: Set<ArraySlice<UInt8>> = []
        forEachName(after: UInt8(ascii: "&"), in: bytes) { _, name in
            anchors.insert(name)
            return true
        }
        var problem: String?
        forEachName(after: UInt8(ascii: "*"), in: bytes) { position, name in
            guard anchors.contains(name) else { return true }
            let line = bytes[..<position].lazy.filter { $0 == UInt8(ascii: "\n") }.count + 1
            problem =
                "line \(line): aliases are not taken; write what *\(String(decoding: name, as: UTF8.self)) stands for"
            return false
        }
        return problem
    }

    /// Calls a closure with each name after a sign that may begin a token, until it returns false.
    private static func forEachName(
        after sign: UInt8,
        in bytes: [UInt8],
        _ body: (_ position: Int, _ name: ArraySlice<UInt8>) -> Bool
    ) {
        for position in bytes.indices where bytes[position] == sign {
            guard position == 0 || mayEndToken(bytes[position - 1]) else { continue }
            let name = bytes[(position + 1)...].prefix {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
            if !name.isEmpty, !body(position, name) { return }
        }
    }

    /// Not ASCII are a byte order mark and some line breaks.
    private static func mayEndToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F..., UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: ","), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
