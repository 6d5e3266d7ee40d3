extension Unicode.Scalar {
    /// Whether a character stands for nothing at the end of a text: a blank, a control character, a mark of direction,
    /// a joiner. Those that change the letter beside them are none: a heart ends with a variation selector, a flag with
    /// tags. `declared_properties` in SQL lists the same.
    package var isBlank: Bool {
        switch value {
        case 0...0x20, 0x7F...0xA0, 0xAD, 0x61C, 0x1680, 0x180E: true
        case 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x2800, 0x3000, 0x3164, 0xFEFF, 0xFFA0: true
        default: false
        }
    }
}

extension Substring {
    /// The text without blanks and invisible characters at both ends (``Unicode/Scalar/isBlank``).
    package var trimmedOfBlanks: Substring {
        let printed: ClosedRange<UInt8> = 0x21...0x7E
        guard let first = utf8.first, let last = utf8.last, !printed.contains(first) || !printed.contains(last) else {
            return self
        }
        var scalars = unicodeScalars
        while let first = scalars.first, first.isBlank { scalars.removeFirst() }
        while let last = scalars.last, last.isBlank { scalars.removeLast() }
        return Substring(scalars)
    }
}

extension String {
    package var trimmedOfBlanks: Substring { self[...].trimmedOfBlanks }
}
