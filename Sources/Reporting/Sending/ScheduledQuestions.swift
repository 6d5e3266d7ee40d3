package import Postgres
package import Storage
package import Time

/// When the saved questions of apps are sent, for the command line, the dashboard and the daemon.
package struct ScheduledQuestions: Sendable {
    private let pool: PostgresPool
    private let store: ScheduleStore

    package init(pool: PostgresPool) {
        self.pool = pool
        store = ScheduleStore(pool: pool)
    }

    /// A schedule that somebody asks for.
    package struct Draft: Sendable {
        package var question: String
        package var watch: StoredSchedule.Watch?
        package var every: String
        package var at: String
        /// `csv` or `table`.
        package var format: String
        package var target: String
        /// Whether each sending shares a page, to which its link leads.
        package var shares: Bool

        package init(
            question: String,
            watch: StoredSchedule.Watch? = nil,
            every: String,
            at: String = "08:00",
            format: String = "csv",
            target: String,
            shares: Bool = false
        ) {
            self.question = question
            self.watch = watch
            self.every = every
            self.at = at
            self.format = format
            self.target = target
            self.shares = shares
        }
    }

    /// Saves a schedule, or changes the one with the same target.
    ///
    /// - Returns: the schedule, the first time at which it sends, and the secret that signs what its target gets, if it
    ///   is new. Nobody is shown it again.
    /// - Throws: `ReportError.usage` for a draft that is refused; `QuestionError.unknown`, `.tooManySchedules`.
    package func save(
        _ draft: Draft,
        of app: App,
        now: Timestamp = .now
    ) async throws -> (schedule: QuestionSchedule, first: SendingTimes.Sending, newSecret: String?) {
        let question = try await SavedQuestions(pool: pool).required(draft.question, of: app)
        let times = try SendingTimes(every: draft.every, at: draft.at)
        guard let format = ReportFormat(rawValue: draft.format), format != .json else {
            throw ReportError.invalid("format", "'\(draft.format)' is not csv or table")
        }
        let target = try SendingTarget(draft.target)
        guard let zone = question.zone(in: app) else { throw ReportError.invalid("tz", "the time zone is unknown") }
        let questions = try await question.isBoard ? SavedQuestions(pool: pool).list(of: app) : []
        if draft.shares { try Self.checkIsShared(draft, question, questions, target) }
        for part in question.parts(among: questions) {
            _ = try part.question?.request(about: times.last(upTo: now, in: zone), app: app, now: now)
        }
        if let watch = draft.watch {
            let request = try question.request(origin: .http, app: app, now: now)
            guard times.period != .month else {
                throw ReportError.invalid("every", "a watch is by day or week: a month has no weekdays to compare with")
            }
            try request.checkIsWatchable(watch, every: times.period)
        }
        var stored = StoredSchedule(
            number: 0,
            appNumber: app.number,
            appID: app.profile.id,
            question: question.name,
            watch: draft.watch,
            period: times.period.rawValue,
            day: times.day,
            minute: times.minute,
            format: format.rawValue,
            target: target.text,
            createdAt: now
        )
        stored.shares = draft.shares
        guard let saved = try await store.save(stored, isSigned: target.isSigned),
            let schedule = QuestionSchedule(saved.schedule)
        else { throw QuestionError.tooManySchedules(limit: ScheduleStore.limit) }
        return (schedule, schedule.next(after: now, in: zone), saved.newSecret)
    }

    private static func checkIsShared(
        _ draft: Draft,
        _ question: SavedQuestion,
        _ questions: [SavedQuestion],
        _ target: SendingTarget
    ) throws(ReportError) {
        switch target {
        case .mail, .slack: break
        case .https, .folder: throw .invalid("share", "only a mail or a chat has a link to a page")
        }
        guard draft.watch == nil else { throw .invalid("share", "a watch shares no page") }
        if let refusal = question.sharingRefusal(among: questions) { throw .invalid("share", refusal) }
    }

    /// Gives all schedules with a target a new secret. The former one signs too, for a day.
    ///
    /// - Throws: `ReportError.usage` if the app has no schedule with this target, or its target takes no signature.
    package func rotateSecret(of target: String, in app: App) async throws -> String {
        guard let secret = try await store.rotateSecret(of: target, in: app) else {
            throw ReportError.invalid("to", "no schedule sends to '\(target)' with a signature")
        }
        return secret
    }

    /// The schedules of an app, or of one question.
    package func list(of app: App, question: String? = nil) async throws -> [QuestionSchedule] {
        try await store.list(of: app, question: question).compactMap(QuestionSchedule.init)
    }

    /// Deletes schedules of a question with their runs.
    ///
    /// - Parameters:
    ///   - watch: nil for those that send the answer; an empty column for every watch.
    ///   - target: nil for every target.
    /// - Throws: `QuestionError.unknown`, `.notScheduled`.
    package func delete(
        _ name: String,
        watching watch: StoredSchedule.Watch?,
        target: String?,
        of app: App
    ) async throws -> Int {
        let question = try await SavedQuestions(pool: pool).required(name, of: app)
        let count = try await store.delete(
            of: question.name,
            watching: watch != nil,
            target: target,
            column: watch.flatMap { $0.column.isEmpty ? nil : $0.column },
            row: watch?.row,
            in: app
        )
        guard count > 0 else { throw QuestionError.notScheduled(name, isWatch: watch != nil) }
        return count
    }

    /// Deletes one schedule with its runs. Does nothing if there is none.
    package func delete(_ number: Int64, of app: App) async throws { _ = try await store.delete(number, in: app) }

    /// The last runs, the newest first.
    package func runs(of app: App, question: String? = nil, atMost limit: Int) async throws -> [QuestionRun] {
        if let question { _ = try await SavedQuestions(pool: pool).required(question, of: app) }
        return try await store.runs(of: app, question: question, atMost: limit)
    }
}
