/// The name of a saved question. It is a part of a URL and of a file's name as it is.
package struct QuestionName: Hashable, Sendable {
    package static let rule = "1 to 64 small letters a to z, digits, - and _, and a letter or digit first"

    package let text: String

    /// Nil for a text that breaks ``rule``.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        func isWord(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard (1...64).contains(bytes.count), isWord(bytes[0]) else { return nil }
        guard bytes.allSatisfy({ isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
            return nil
        }
        self.text = text
    }
}
