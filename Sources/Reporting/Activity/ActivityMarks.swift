/// When somebody did something, in rows: of all that the current person did, of touches, of those of each group.
///
/// Bits, because most people did something in few of the periods: counting takes 64 periods at once. All rows are in
/// one array, because arrays of their own would be checked, retained and released for each mark.
struct ActivityMarks {
    /// One time, as far as the rows of `activity` ask.
    struct Moment {
        fileprivate var place: UInt64
        fileprivate var period: Int32
        fileprivate var day: Int32

        /// - Parameters:
        ///   - isBefore: whether it lies in the whole period before the first.
        ///   - isInBeginning: whether it lies in what the range cuts off from the beginning of the first period.
        ///   - period: within the range.
        ///   - day: counted from 30 days before the end of the first period.
        init(isBefore: Bool, isInBeginning: Bool, period: Int?, day: Int?) {
            place = (isBefore ? ActivityMarks.before : 0) | (isInBeginning ? ActivityMarks.beginning : 0)
            self.period = period.map { Int32($0) } ?? -1
            self.day = day.map { Int32($0) } ?? -1
        }

        var isBefore: Bool { place & ActivityMarks.before != 0 }
        var isInBeginning: Bool { place & ActivityMarks.beginning != 0 }
        var periodInRange: Int? { period < 0 ? nil : Int(period) }
    }

    /// As the period before the first sees them, which is the bit below the first.
    private static let before: UInt64 = 1
    private static let beginning: UInt64 = 2

    /// How many words of 64 periods, and of 64 days, a row has.
    let periodWords: Int
    let dayWords: Int
    /// Row after row: a word for what lies before the range, then a bit for each period, and one for each day, the
    /// lowest first.
    private var words: [UInt64] = []

    init(periods: Int, days: Int) {
        periodWords = (periods + 63) / 64
        dayWords = (days + 63) / 64
    }

    private var length: Int { 1 + periodWords + dayWords }

    /// Empties a row, or appends it if it is the next one.
    mutating func clear(_ row: Int) {
        let start = row * length
        if start == words.count { return words += repeatElement(0, count: length) }
        for word in start..<start + length { words[word] = 0 }
    }

    mutating func add(_ moment: Moment, to row: Int) {
        let start = row * length
        let days = start + 1 + periodWords
        // Each write of its own would check whether the array is shared.
        words.withUnsafeMutableBufferPointer { words in
            words[start] |= moment.place
            if moment.period >= 0 {
                words[start + 1 + Int(moment.period >> 6)] |= 1 << UInt64(moment.period & 63)
            }
            if moment.day >= 0 { words[days + Int(moment.day >> 6)] |= 1 << UInt64(moment.day & 63) }
        }
    }

    /// Whether a row has all that another one has.
    func has(_ row: Int, allOf other: Int) -> Bool {
        for word in 0..<length where words[other * length + word] & ~words[row * length + word] != 0 { return false }
        return true
    }

    @inline(__always)
    func isInBeginning(_ row: Int) -> Bool { words[row * length] & Self.beginning != 0 }

    @inline(__always)
    func periods(_ row: Int, _ word: Int) -> UInt64 { words[row * length + 1 + word] }

    @inline(__always)
    func days(_ row: Int, _ word: Int) -> UInt64 { words[row * length + 1 + periodWords + word] }

    /// What is marked of the periods before those of a word.
    ///
    /// The first period is as if it had begun earlier, where another one looks back to it.
    @inline(__always)
    func previousPeriods(_ row: Int, _ word: Int) -> UInt64 {
        let start = row * length + 1 + word
        // Before the first periods lies what the first word of a row says.
        return words[start] << 1 | (word == 0 ? words[start - 1] : words[start - 1] >> 63)
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

/// Calls `body` with the places of neighbouring bits of a word, in order.
@inline(__always)
func forEachRun(of bits: UInt64, _ body: (Range<Int>) -> Void) {
    var rest = bits
    while rest != 0 {
        let start = rest.trailingZeroBitCount
        let end = start + (~(rest >> UInt64(start))).trailingZeroBitCount
        body(start..<end)
        rest &= UInt64.max << UInt64(end)
    }
}
