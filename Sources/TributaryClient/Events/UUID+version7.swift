import struct Foundation.Date
import struct Foundation.UUID

extension UUID {
    /// A version 7 UUID (RFC 9562 section 5.7): milliseconds since 1970, then 74 random bits.
    init(version7At time: Date) {
        let milliseconds = UInt64(max(0, time.timeIntervalSince1970 * 1000))
        let random = UInt64.random(in: 0 ... .max)
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ number: UInt64, _ position: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: number >> (56 - 8 * position))
        }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}
