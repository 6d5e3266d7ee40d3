/// A code while it is drawn: the patterns that readers look for, then the codewords, then a mask.
struct QRCanvas {
    let version: Int
    let size: Int
    private(set) var modules: [Bool]
    /// Whether a module belongs to a pattern, which masks leave alone.
    private var isPattern: [Bool]

    init(version: Int) {
        self.version = version
        size = 17 + 4 * version
        modules = [Bool](repeating: false, count: size * size)
        isPattern = modules
        drawPatterns()
    }

    private mutating func setPattern(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard 0..<size ~= row, 0..<size ~= column else { return }
        modules[row * size + column] = isDark
        isPattern[row * size + column] = true
    }

    private mutating func drawPatterns() {
        for index in 0..<size {
            setPattern(6, index, index % 2 == 0)
            setPattern(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        let positions = alignmentPositions
        for row in positions {
            for column in positions where !isNearFinder(row, column, last: positions.last ?? 0) {
                drawAlignment(row, column)
            }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for y in -4...4 {
            for x in -4...4 {
                let distance = max(abs(x), abs(y))
                setPattern(row + y, column + x, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ row: Int, _ column: Int) {
        for y in -2...2 {
            for x in -2...2 { setPattern(row + y, column + x, max(abs(x), abs(y)) != 1) }
        }
    }

    private func isNearFinder(_ row: Int, _ column: Int, last: Int) -> Bool {
        (row == 6 && column == 6) || (row == 6 && column == last) || (row == last && column == 6)
    }

    private var alignmentPositions: [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    /// The level of correction and the mask, twice.
    private mutating func drawFormat(mask: Int) {
        // Level M has the bits 00.
        let bits = Self.withRemainder(mask, generator: 0x537, degree: 10) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { setPattern(index, 8, bit(index)) }
        setPattern(7, 8, bit(6))
        setPattern(8, 8, bit(7))
        setPattern(8, 7, bit(8))
        for index in 9..<15 { setPattern(8, 14 - index, bit(index)) }
        for index in 0..<8 { setPattern(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { setPattern(size - 15 + index, 8, bit(index)) }
        setPattern(size - 8, 8, true)
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = Self.withRemainder(version, generator: 0x1F25, degree: 12)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (far, near) = (size - 11 + index % 3, index / 3)
            setPattern(near, far, isDark)
            setPattern(far, near, isDark)
        }
    }

    /// A number followed by its remainder (BCH code).
    private static func withRemainder(_ value: Int, generator: Int, degree: Int) -> Int {
        var remainder = value
        for _ in 0..<degree { remainder = remainder << 1 ^ (remainder >> (degree - 1)) * generator }
        return value << degree | remainder
    }

    /// Fills two columns at a time, from the right, up and down.
    mutating func drawCodewords(_ codewords: [UInt8]) {
        var position = 0
        for pair in stride(from: size - 1, through: 1, by: -2) {
            let right = pair <= 6 ? pair - 1 : pair
            let goesUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = goesUp ? size - 1 - step : step
                for column in [right, right - 1] where !isPattern[row * size + column] && position < codewords.count * 8
                {
                    modules[row * size + column] = codewords[position / 8] >> (7 - position % 8) & 1 == 1
                    position += 1
                }
            }
        }
    }

    mutating func apply(mask: Int) {
        drawFormat(mask: mask)
        for row in 0..<size {
            for column in 0..<size where !isPattern[row * size + column] && Self.inverts(mask, row, column) {
                modules[row * size + column].toggle()
            }
        }
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
