extension QRCanvas {
    /// How hard the code is to read (ISO/IEC 18004, 7.8.3): long runs, blocks, what looks like a finder, and too many
    /// modules of one kind.
    var penalty: Int {
        var penalty = 0
        for line in 0..<size {
            penalty += linePenalty { modules[line * size + $0] }
            penalty += linePenalty { modules[$0 * size + line] }
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let place = row * size + column
                let first = modules[place]
                if first == modules[place + 1], first == modules[place + size], first == modules[place + size + 1] {
                    penalty += 3
                }
            }
        }
        let dark = modules.count { $0 }
        let distance = abs(dark * 20 - modules.count * 10)
        return penalty + max(0, (distance + modules.count - 1) / modules.count - 1) * 10
    }

    private func linePenalty(_ isDark: (Int) -> Bool) -> Int {
        var penalty = 0
        var run = 0
        /// The last eleven modules, as bits.
        var window = 0
        for index in 0..<size {
            run = index > 0 && isDark(index) == isDark(index - 1) ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            window = (window << 1 | (isDark(index) ? 1 : 0)) & 0x7FF
            // A finder with four light modules before or after it.
            if index >= 10, window == 0b1011101_0000 || window == 0b0000_1011101 { penalty += 40 }
        }
        return penalty
    }
}
