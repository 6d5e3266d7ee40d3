/// When something of one person happened, as far as the rows of `activity` ask.
///
/// Bits, because most people did something in few of the periods: counting takes 64 periods at once.
struct ActivityMarks {
    /// One time, as far as the rows ask.
    struct Moment {
        /// Whether it lies in the whole period before the first.
        var isBefore: Bool
        /// Whether it lies in what the range cuts off from the beginning of the first period.
        var isInBeginning: Bool
        /// Within the range.
        var period: Int?
        /// Counted from 30 days before the end of the first period.
        var day: Int?
    }

    private(set) var isBefore = false
    private(set) var isInBeginning = false
    /// A bit for each, 64 a word, the lowest first.
    private(set) var periods: [UInt64]
    private(set) var days: [UInt64]

    init(periods: Int, days: Int) {
        self.periods = Array(repeating: 0, count: (periods + 63) / 64)
        self.days = Array(repeating: 0, count: (days + 63) / 64)
    }

    mutating func clear() {
        isBefore = false
        isInBeginning = false
        for word in periods.indices { periods[word] = 0 }
        for word in days.indices { days[word] = 0 }
    }

    mutating func add(_ moment: Moment) {
        if moment.isBefore { isBefore = true }
        if moment.isInBeginning { isInBeginning = true }
        if let period = moment.period { periods[period >> 6] |= 1 << UInt64(period & 63) }
        if let day = moment.day { days[day >> 6] |= 1 << UInt64(day & 63) }
    }

    /// What is marked of the periods before those of a word.
    ///
    /// The first period is as if it had begun earlier, where another one looks back to it.
    @inline(__always)
    func previousPeriods(_ word: Int) -> UInt64 {
        guard word == 0 else { return periods[word] << 1 | periods[word - 1] >> 63 }
        return periods[0] << 1 | (isBefore ? 1 : 0) | (isInBeginning ? 2 : 0)
    }
}

/// Calls `body` with the place of each bit of a word, in order.
@inline(__always)
func forEachBit(of bits: UInt64, _ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
        body(rest.trailingZeroBitCount)
        rest &= rest - 1
    }
}
