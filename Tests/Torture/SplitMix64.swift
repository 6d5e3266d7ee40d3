/// Random numbers that are the same for the same seed.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64, _ stream: UInt64 = 0) {
        state = seed &* 0xD6E8_FEB8_6659_FD93 ^ stream &* 0xA076_1D64_78BD_642F
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func duration(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }
}
