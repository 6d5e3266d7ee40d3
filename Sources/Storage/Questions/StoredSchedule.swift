import InboundLinks
package import Time

/// When a question is answered by itself, and where the answer goes, as it is stored.
package struct StoredSchedule: Sendable {
    /// A figure that is watched.
    package struct Watch: Hashable, Sendable {
        package var column: String
        /// Nil: every row.
        package var row: String?

        package init(column: String, row: String?) {
            self.column = column
            self.row = row
        }
    }

    package var number: Int64
    package var appNumber: Int32
    package var appID: String
    package var question: String
    /// Nil: the whole answer is sent.
    package var watch: Watch?
    /// `day`, `week` or `month`.
    package var period: String
    /// Of the week, from 0 for Monday, or of the month, from 1.
    package var day: Int
    /// Of the day.
    package var minute: Int
    package var format: String
    package var target: String
    /// Whether each sending shares a page, to which its link leads.
    package var shares = false
    /// What a watch remembers.
    package var memory: String?
    /// What signs requests to its target, the newest first; none if it takes no signature.
    package var secrets: [String] = []
    package var createdAt: Timestamp
    package var lastClaim: Claim?

    /// The period that was claimed last.
    package struct Claim: Sendable {
        package var from: CivilDate
        /// The day after the last one.
        package var to: CivilDate
        package var at: Timestamp

        package init(from: CivilDate, to: CivilDate, at: Timestamp) {
            (self.from, self.to, self.at) = (from, to, at)
        }
    }

    /// As the log of changes shows them.
    var changeFields: ChangeLog.Fields {
        [
            ("column", .optional(watch?.column)), ("row", .optional(watch?.row)), ("period", .string(period)),
            ("day", .number(Int64(day))), ("minute", .number(Int64(minute))), ("format", .string(format)),
            ("to", .string(ChangeLog.shownAddress(target))), ("share", .bool(shares)),
        ]
    }

    package init(
        number: Int64,
        appNumber: Int32,
        appID: String,
        question: String,
        watch: Watch?,
        period: String,
        day: Int,
        minute: Int,
        format: String,
        target: String,
        memory: String? = nil,
        createdAt: Timestamp,
        lastClaim: Claim? = nil
    ) {
        self.number = number
        self.appNumber = appNumber
        self.appID = appID
        self.question = question
        self.watch = watch
        self.period = period
        self.day = day
        self.minute = minute
        self.format = format
        self.target = target
        self.memory = memory
        self.createdAt = createdAt
        self.lastClaim = lastClaim
    }
}

/// An answer for one period.
package struct QuestionRun: Sendable {
    /// What became of it.
    package enum State: String, Sendable {
        case waiting, sent
        /// A watch had nothing to tell.
        case quiet
        case failed
    }

    package var question: String
    package var target: String
    package var watch: StoredSchedule.Watch?
    package var from: CivilDate
    /// The day after the last one.
    package var to: CivilDate
    package var state: State
    package var attempts: Int
    /// When it is tried next.
    package var dueAt: Timestamp?
    package var finishedAt: Timestamp?
    package var remark: String?

    package init(
        question: String,
        target: String,
        watch: StoredSchedule.Watch?,
        from: CivilDate,
        to: CivilDate,
        state: State,
        attempts: Int,
        dueAt: Timestamp? = nil,
        finishedAt: Timestamp? = nil,
        remark: String? = nil
    ) {
        self.question = question
        self.target = target
        self.watch = watch
        self.from = from
        self.to = to
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.finishedAt = finishedAt
        self.remark = remark
    }
}

/// A run that this program has taken, and that nobody else takes for some time.
package struct TakenRun: Sendable {
    package var schedule: Int64
    package var appNumber: Int32
    package var from: CivilDate
    /// The day after the last one.
    package var to: CivilDate
    /// From 1.
    package var attempt: Int
}
