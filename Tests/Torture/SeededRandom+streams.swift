import RandomTesting

extension SeededRandom {
    /// An own stream for each part of a torture run.
    init(_ seed: UInt64, _ stream: UInt64 = 0) {
        self.init(seed: seed &* 0xD6E8_FEB8_6659_FD93 ^ stream &* 0xA076_1D64_78BD_642F)
        _ = next()
    }

    mutating func duration(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }
}
