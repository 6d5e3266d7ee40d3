#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// Whether the text contains U+0000, which PostgreSQL cannot store.
    var containsNul: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }

    /// The longest prefix that has at most `limit` bytes of UTF-8 and ends between Unicode scalars.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
