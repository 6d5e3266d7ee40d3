import RandomTesting

extension SeededRandom {
    /// Text of all kinds of characters except U+0000: quotes, backslashes, controls, and characters beyond the first
    /// plane.
    mutating func text(upTo limit: Int) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            1...31, 32...126, 127...255, 0x100...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x1_0000...0x10_FFFF,
        ]
        let special: [Unicode.Scalar] = [
            "\"", "\\", "'", "{", "}", ",", "\n", "\t", "$", "%", ";", "\u{FEFF}", "\u{301}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            if Bool.random(using: &self), let scalar = special.randomElement(using: &self) {
                text.append(scalar)
            } else if let range = ranges.randomElement(using: &self),
                let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self))
            {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Numbers of all magnitudes, with the extremes.
    mutating func int64() -> Int64 {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: return .max
        case 1: return .min
        case 2: return 0
        default:
            return Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self)
        }
    }
}
