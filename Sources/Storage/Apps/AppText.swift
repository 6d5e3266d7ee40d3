#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A text of an app: a device, a click or a post. Texts are compared byte by byte, like PostgreSQL's collation "C".
/// Swift itself treats two spellings of `é` as equal.
struct AppText: Hashable, Comparable {
    let app: Int32
    let text: String

    static func == (first: AppText, second: AppText) -> Bool {
        first.app == second.app && first.text.utf8.count == second.text.utf8.count && first.order(to: second) == 0
    }

    static func < (first: AppText, second: AppText) -> Bool {
        guard first.app == second.app else { return first.app < second.app }
        let order = first.order(to: second)
        return order == 0 ? first.text.utf8.count < second.text.utf8.count : order < 0
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(app)
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Compares the bytes up to the end of the shorter text: negative, 0 or positive.
    private func order(to other: AppText) -> Int32 {
        var (text, otherText) = (text, other.text)
        return text.withUTF8 { bytes in
            otherText.withUTF8 { otherBytes in
                guard let start = bytes.baseAddress, let otherStart = otherBytes.baseAddress else { return 0 }
                return memcmp(start, otherStart, min(bytes.count, otherBytes.count))
            }
        }
    }
}
