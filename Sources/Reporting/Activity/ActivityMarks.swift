/// When something of one person happened, as far as the rows of `activity` ask.
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
    private(set) var periods: [Bool]
    private(set) var days: [Bool]

    init(periods: Int, days: Int) {
        self.periods = Array(repeating: false, count: periods)
        self.days = Array(repeating: false, count: days)
    }

    mutating func clear() {
        isBefore = false
        isInBeginning = false
        for index in periods.indices { periods[index] = false }
        for index in days.indices { days[index] = false }
    }

    mutating func add(_ moment: Moment) {
        if moment.isBefore { isBefore = true }
        if moment.isInBeginning { isInBeginning = true }
        if let period = moment.period { periods[period] = true }
        if let day = moment.day { days[day] = true }
    }
}
