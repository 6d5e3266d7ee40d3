import Text

/// The `click_id` that a redirect appends to an app's URL or a page's (docs/redirects.md, *How links join*): a UUID of
/// version 7. Other services have parameters of this name too, which are left alone.
enum ClickID {
    /// The id as clicks have it, in lower case; nil if the text is none.
    static func read(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return isClickID(bytes, 0..<bytes.count) ? text.lowercasedASCII : nil
    }

    static func isClickID(_ bytes: [UInt8], _ text: Range<Int>) -> Bool {
        guard text.count == 36 else { return false }
        for (place, byte) in bytes[text].enumerated() {
            let isRight =
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                case 14: byte == UInt8(ascii: "7")
                case 19: byte.hexadecimalValue.map { $0 >> 2 == 0b10 } ?? false
                default: byte.hexadecimalValue != nil
                }
            guard isRight else { return false }
        }
        return true
    }
}
