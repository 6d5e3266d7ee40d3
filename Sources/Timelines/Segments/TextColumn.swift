/// A column of texts: each different text once, then a number for each event that has the column; 0 means no text. A
/// number takes 1, 2 or 4 bytes, depending on how many texts there are; none, if there is no text.
enum TextColumn {
    /// Takes texts as codes of a dictionary.
    struct Builder {
        private var texts: [UInt8] = []
        private var positions: [Code: UInt32] = [:]
        private var numbers: [UInt32] = []

        mutating func append(_ code: Code, text: (Code) -> ArraySlice<UInt8>) {
            guard !code.isNone else { return numbers.append(0) }
            if let position = positions[code] { return numbers.append(position) }
            let position = UInt32(positions.count + 1)
            positions[code] = position
            numbers.append(position)
            let bytes = text(code)
            texts.append(number: UInt32(bytes.count))
            texts.append(contentsOf: bytes)
        }

        var bytes: [UInt8] {
            guard !numbers.isEmpty else { return [] }
            var bytes: [UInt8] = []
            bytes.append(number: UInt32(positions.count))
            bytes += texts
            switch positions.count {
            case 0: break
            case ...0xFF: for number in numbers { bytes.append(UInt8(truncatingIfNeeded: number)) }
            case ...0xFFFF: for number in numbers { bytes.append(number: UInt16(truncatingIfNeeded: number)) }
            default: for number in numbers { bytes.append(number: number) }
            }
            return bytes
        }
    }

    /// Calls `body` with each text of a column, and how many events have it.
    ///
    /// - Returns: whether the column is damaged.
    static func forEachText(
        in bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, Int) -> Void
    ) -> Bool {
        var texts: [UnsafeRawBufferPointer] = []
        var reader = Reader(bytes) { text in
            texts.append(text)
            return Code(rawValue: Int32(texts.count - 1))
        }
        var counts = [Int](repeating: 0, count: texts.count)
        while !reader.isAtEnd, !reader.isBroken {
            let code = reader.next()
            if !code.isNone { counts[code.index] += 1 }
        }
        for (text, count) in zip(texts, counts) { body(text, count) }
        return reader.isBroken
    }

    struct Reader {
        /// The code of each number in the column.
        private var codes: [Code] = [.none]
        private var numbers: ByteCursor
        private var isDamaged = false
        /// Whether the column says that no event has a text.
        private var isBlank = false

        /// - Parameter code: returns the code of a text in the dictionary of the run.
        init(_ bytes: UnsafeRawBufferPointer, code: (UnsafeRawBufferPointer) -> Code) {
            numbers = ByteCursor(bytes)
            guard !numbers.isAtEnd else { return }
            let count = numbers.next(UInt32.self)
            isBlank = count == 0
            for _ in 0..<count {
                let length = Int(numbers.next(UInt32.self))
                let text = numbers.nextBytes(length)
                if numbers.isBroken { break }
                codes.append(code(text))
            }
        }

        var isBroken: Bool { isDamaged || numbers.isBroken }
        var isAtEnd: Bool { isBlank || numbers.isAtEnd }

        @inline(__always)
        mutating func next() -> Code {
            if isBlank { return .none }
            let number =
                switch codes.count {
                case ...0x100: Int(numbers.next(UInt8.self))
                case ...0x10000: Int(numbers.next(UInt16.self))
                default: Int(numbers.next(UInt32.self))
                }
            guard number < codes.count else {
                isDamaged = true
                return .none
            }
            return codes[number]
        }
    }
}
