/// Times from starts to a step, in microseconds, exact, in 6 bytes each: a funnel holds one of each person until it has the
/// median. No window is longer than 90 days, 2⁴³ µs.
struct ElapsedTimes: RandomAccessCollection {
    private var low: [UInt32] = []
    private var high: [UInt16] = []

    var startIndex: Int { 0 }
    var endIndex: Int { low.count }

    subscript(position: Int) -> Int64 {
        Int64(high[position]) << 32 | Int64(low[position])
    }

    /// - Parameter time: at least 0, and less than 2⁴⁸.
    mutating func append(_ time: Int64) {
        low.append(UInt32(truncatingIfNeeded: time))
        high.append(UInt16(truncatingIfNeeded: time >> 32))
    }

    static func += (times: inout ElapsedTimes, others: ElapsedTimes) {
        times.low += others.low
        times.high += others.high
    }
}
