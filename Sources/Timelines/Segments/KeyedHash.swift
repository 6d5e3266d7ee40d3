/// SipHash-2-4 (Aumasson and Bernstein, 2012): a hash whose collisions cannot be found without its key.
package struct KeyedHash: Sendable {
    private let key: (UInt64, UInt64)

    /// - Parameter key: 16 bytes; a longer key is cut, a shorter one is padded with zeros.
    package init(key bytes: [UInt8]) {
        func word(_ range: Range<Int>) -> UInt64 {
            bytes.dropFirst(range.lowerBound).prefix(range.count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        key = (word(0..<8), word(8..<16))
    }

    package func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = State(key)
        var position = 0
        while position + 8 <= bytes.count {
            state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            position += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        var shift: UInt64 = 0
        while position < bytes.count {
            last |= UInt64(bytes[position]) << shift
            shift += 8
            position += 1
        }
        state.absorb(last)
        return state.finish()
    }

    func callAsFunction(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { self(UnsafeRawBufferPointer($0)) }
    }

    private struct State {
        private var v0, v1, v2, v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736f_6d65_7073_6575
            v1 = key.1 ^ 0x646f_7261_6e64_6f6d
            v2 = key.0 ^ 0x6c79_6765_6e65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xff
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }

        private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
    }
}
