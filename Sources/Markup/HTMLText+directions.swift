extension HTMLText {
    private static let textarea = Array("<textarea".utf8)
    /// What stands before the values of attributes that are shown or read to people.
    private static let shownAttributes = [" title=", " aria-label="].map { Array($0.utf8) }

    /// A whole page that shows the characters that turn the direction of writing as `\u202e`: in the name of a person
    /// or a ref, they would rearrange what stands beside it. Text areas and attributes keep their values, but for those
    /// that are shown: `title` and `aria-label`.
    package static func showingDirections(in page: String) -> String {
        let bytes = Array(page.utf8)
        guard bytes.indices.contains(where: { directionLength(bytes, at: $0) != nil }) else { return page }
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count + 64)
        var position = 0
        var (isInTag, isInValue) = (false, false)
        var (isQuoted, isShown) = (false, false)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"):
                (isInTag, isQuoted, isShown) = (true, false, false)
                isInValue = bytes[position...].starts(with: textarea)
            case UInt8(ascii: ">"): isInTag = false
            case UInt8(ascii: "\"") where isInTag:
                isQuoted.toggle()
                isShown = isQuoted && shownAttributes.contains { bytes[..<position].suffix($0.count) == $0[...] }
            default: break
            }
            guard isInTag ? isShown : !isInValue, let length = directionLength(bytes, at: position) else {
                shown.append(bytes[position])
                position += 1
                continue
            }
            for scalar in String(decoding: bytes[position..<position + length], as: UTF8.self).unicodeScalars {
                let digits = String(scalar.value, radix: 16)
                shown += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
            position += length
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// How many bytes a character has that turns the direction of writing (Unicode's `Bidi_Control`); nil if there is
    /// none at the position.
    private static func directionLength(_ bytes: [UInt8], at position: Int) -> Int? {
        func next(_ offset: Int) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }
        switch (bytes[position], next(1), next(2)) {
        // U+061C.
        case (0xD8, 0x9C, _): return 2
        // U+200E, U+200F, U+202A to U+202E; U+2066 to U+2069.
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA6...0xA9): return 3
        default: return nil
        }
    }
}
