package import Time

/// When a question is sent: some time after each day, week or month, about that period. Weeks begin on Monday.
package struct SendingTimes: Equatable, Sendable {
    /// A time at which an answer is sent, and the complete period that it is about.
    package struct Sending: Equatable, Sendable {
        package var at: Timestamp
        package var from: CivilDate
        /// The day after the last one.
        package var to: CivilDate

        package init(at: Timestamp, from: CivilDate, to: CivilDate) {
            self.at = at
            self.from = from
            self.to = to
        }

        /// The period before: a month's is a month, of whatever length.
        package var before: Sending {
            let month = CalendarPeriod.month
            let isMonth = to.number - from.number >= 28
            let first =
                isMonth
                ? month.firstDay(ofPeriod: month.number(of: from) - 1) : CivilDate(number: 2 * from.number - to.number)
            return Sending(at: at, from: first, to: from)
        }
    }

    private static let weekdays = BreakdownKey.weekdays
    /// The days that every month has.
    private static let monthDays = 1...28

    /// What is sent about.
    package var period: CalendarPeriod
    /// The day of the week, from 0 for Monday, or of the month, from 1, on which it is sent; 0 for every day.
    package var day: Int
    /// The minute of the day, by the clock of the time zone.
    package var minute: Int

    package init(period: CalendarPeriod, day: Int, minute: Int) {
        self.period = period
        self.day = day
        self.minute = minute
    }

    /// - Parameters:
    ///   - every: `day`, `week`, `week:friday`, `month` or `month:15`.
    ///   - at: `08:00`.
    /// - Throws: `ReportError.usage`.
    package init(every: String, at: String) throws(ReportError) {
        let parts = every.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let period = CalendarPeriod(rawValue: parts[0]) else {
            throw .invalid("every", "'\(every)' is not day, week or month; a day may follow: week:friday, month:15")
        }
        let word = parts.count > 1 ? parts[1] : nil
        switch (period, word) {
        case (.day, nil), (.week, nil): day = 0
        case (.month, nil): day = 1
        case (.day, _?): throw .invalid("every", "a day has no day of its own; write day")
        case (.week, let name?):
            guard let day = Self.weekdays.firstIndex(of: name.lowercased()) else {
                throw .unknown("day of the week", name, field: "every", allowed: Self.weekdays)
            }
            self.day = day
        case (.month, let text?):
            guard let day = Int(text), Self.monthDays.contains(day) else {
                throw .invalid(
                    "every",
                    "the day of a month is a number from 1 to 28, which every month has, not '\(text)'"
                )
            }
            self.day = day
        }
        let clock = at.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, clock.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            let hour = Int(clock[0]), let minute = Int(clock[1]), hour < 24, minute < 60
        else { throw .invalid("at", "'\(at)' is not a time of the day, such as 08:00") }
        self.period = period
        self.minute = hour * 60 + minute
    }

    /// Whether there are such a day and minute.
    var isPossible: Bool {
        (0..<24 * 60).contains(minute) && (period == .month ? Self.monthDays : 0...6).contains(day)
    }

    /// As the option `--every` takes it.
    package var every: String {
        switch period {
        case .day: "day"
        case .week: "week:\(Self.weekdays[day])"
        case .month: "month:\(day)"
        }
    }

    /// As the option `--at` takes it.
    package var at: String { "\(padded(minute / 60, 2)):\(padded(minute % 60, 2))" }

    /// The last time up to now. Times that have passed unused before it are not made up for.
    package func last(upTo now: Timestamp, in zone: ReportTimeZone) -> Sending {
        var number = period.number(of: zone.day(of: now)) + 1
        while true {
            let sending = sending(inPeriod: number, zone)
            if sending.at <= now { return sending }
            number -= 1
        }
    }

    /// The first time after now.
    package func next(after now: Timestamp, in zone: ReportTimeZone) -> Sending {
        var number = period.number(of: zone.day(of: now)) - 1
        while true {
            let sending = sending(inPeriod: number, zone)
            if sending.at > now { return sending }
            number += 1
        }
    }

    /// What is sent in a period is about the one before it.
    private func sending(inPeriod number: Int, _ zone: ReportTimeZone) -> Sending {
        let first = period.firstDay(ofPeriod: number)
        let day = CivilDate(number: first.number + (period == .month ? self.day - 1 : self.day))
        let previous = period.firstDay(ofPeriod: number - 1)
        return Sending(at: zone.instant(on: day, minute: minute), from: previous, to: first)
    }
}
