extension Oracle {
    /// A text that is equal to another one only byte for byte, and sorts by its UTF-8 bytes. `String` treats two
    /// spellings of `é` as equal; the database, and sizes in bytes, do not.
    struct Name: Hashable, Comparable, CustomStringConvertible {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static let none = Name("(none)")
        static let direct = Name("direct")
        static let total = Name("total")
        static let others = Name("(others)")

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
