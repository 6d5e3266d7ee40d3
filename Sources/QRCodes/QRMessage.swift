/// A text as bits: mode, length, characters, padding.
struct QRMessage {
    /// 1–40. The side has 17 + 4 × version modules.
    let version: Int
    private(set) var codewords: [UInt8] = []

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let values = bytes.map { Self.alphanumeric[$0] }
        let isAlphanumeric = values.allSatisfy { $0 != nil }
        guard
            let version = (1...40).first(where: { version in
                let bits = Self.bitCount(bytes.count, isAlphanumeric: isAlphanumeric, version)
                return bits <= 8 * QRErrorCorrection.dataCodewords(version)
            })
        else { return nil }
        self.version = version
        var bits = Bits()
        bits.append(isAlphanumeric ? 0b0010 : 0b0100, count: 4)
        bits.append(bytes.count, count: Self.lengthBits(isAlphanumeric: isAlphanumeric, version))
        if isAlphanumeric {
            let values = values.compactMap { $0 }
            for index in stride(from: 0, to: values.count, by: 2) {
                if index + 1 < values.count {
                    bits.append(values[index] * 45 + values[index + 1], count: 11)
                } else {
                    bits.append(values[index], count: 6)
                }
            }
        } else {
            for byte in bytes { bits.append(Int(byte), count: 8) }
        }
        codewords = bits.codewords(count: QRErrorCorrection.dataCodewords(version))
    }

    private static let alphanumeric: [UInt8: Int] = Dictionary(
        uniqueKeysWithValues: zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8, 0...)
    )

    private static func lengthBits(isAlphanumeric: Bool, _ version: Int) -> Int {
        if version < 10 { return isAlphanumeric ? 9 : 8 }
        if version < 27 { return isAlphanumeric ? 11 : 16 }
        return isAlphanumeric ? 13 : 16
    }

    private static func bitCount(_ count: Int, isAlphanumeric: Bool, _ version: Int) -> Int {
        4 + lengthBits(isAlphanumeric: isAlphanumeric, version)
            + (isAlphanumeric ? count / 2 * 11 + count % 2 * 6 : count * 8)
    }

    private struct Bits {
        private var bits: [Bool] = []

        mutating func append(_ value: Int, count: Int) {
            for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
        }

        /// Ends the message and fills the code with the two padding bytes.
        func codewords(count: Int) -> [UInt8] {
            var bits = bits
            bits += repeatElement(false, count: min(4, count * 8 - bits.count))
            bits += repeatElement(false, count: (8 - bits.count % 8) % 8)
            var bytes: [UInt8] = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
            }
            for index in 0..<count - bytes.count { bytes.append(index % 2 == 0 ? 0xEC : 0x11) }
            return bytes
        }
    }
}
