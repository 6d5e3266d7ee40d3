extension Oracle {
    /// A text that is equal to another only byte for byte, and sorts by its UTF-8 bytes. `String` holds two spellings
    /// of `é` for the same; the database and the contract's sizes in bytes do not.
    struct Name: Hashable, Comparable, CustomStringConvertible {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static let none = Name("(none)")
        static let direct = Name("direct")
        static let total = Name("total")

        static func == (left: Name, right: Name) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        static func < (left: Name, right: Name) -> Bool {
            left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }

        var description: String { text }
    }
}
