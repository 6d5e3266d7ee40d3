#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// Whether U+0000 is in the text: PostgreSQL has no place for it.
    var containsNul: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }

    /// The text without blanks (space, tab, line breaks) at both ends.
    var trimmedOfBlanks: Substring {
        var text = self[...]
        while let first = text.utf8.first, first.isJSONBlank { text = text.dropFirst() }
        while let last = text.utf8.last, last.isJSONBlank { text = text.dropLast() }
        return text
    }

    /// The longest beginning that takes no more bytes of UTF-8 than the limit and ends between characters.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
