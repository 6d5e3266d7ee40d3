import Answering
import InboundLinks
import Ingest
import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import Time

/// Answers saved questions after each period, and sends the answers (docs/schedules.md).
///
/// Each daemon does this. A period is claimed by inserting its row, and a run is taken by one daemon for a while
/// (`holding`). A daemon that dies between sending and noting it has its run repeated by another one: at least once.
/// All attempts of a run have the same id.
struct QuestionService: Service {
    /// The time between two looks at what is due.
    private static let pause: Duration = .seconds(15)
    /// After this time, another daemon takes a run that is not finished. An attempt takes less: a report has a time
    /// limit, and so has sending.
    private static let holding: Duration = .seconds(600)
    /// After this time, no further question of a board is begun, so that the last one and sending end within `holding`.
    private static let boardBudget: Duration = .seconds(480)
    /// How many runs are made at once, so that a slow receiver delays no other.
    private static let runsAtOnce = 4
    /// How many of them may be of one app, so that slow receivers of one app do not delay all others.
    private static let runsOfAnAppAtOnce = 2
    /// The times between attempts. After the last one, the run has failed.
    private static let retries: [Duration] = [60, 300, 1_800, 7_200, 21_600, 43_200].map { .seconds($0) }

    /// On the database that takes writes.
    let pool: PostgresPool
    let reader: ReportReader
    let schema: DatabaseSchema
    let clock: TrustedClock
    let sender: QuestionSender
    let logger: Logger

    private var store: ScheduleStore { ScheduleStore(pool: pool) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let complaints = Complaints("questions cannot be sent", logger)
            while (try? await Task.sleep(for: Self.pause)) != nil { await round(complaints) }
        }
    }

    /// Claims the periods that are over, and makes the runs that are due.
    func round(_ complaints: Complaints) async {
        guard schema.isMigrated else { return complaints.record(nil) }
        do {
            // `WebhookService` says why nothing is sent.
            if try await pool.withConnection({ try OutgoingGate.pass(on: $0) }) == .open {
                try await makeAllThatIsDue(complaints)
            }
            complaints.record(nil)
        } catch {
            complaints.record(Complaints.reason(of: error))
        }
    }

    /// Ends when no run is due and none is being made. What becomes due meanwhile is made, too: a slow run does not
    /// hold it up.
    private func makeAllThatIsDue(_ complaints: Complaints) async throws {
        // The app of a run that has ended; nil: some time has passed.
        try await withThrowingTaskGroup(of: Int32?.self) { group in
            var making: [Int32: Int] = [:]
            var ended: Int32?
            repeat {
                if let ended { making[ended, default: 1] -= 1 } else { try await claim(now: clock.now(), complaints) }
                making = making.filter { $0.value > 0 }
                while making.values.reduce(0, +) < Self.runsAtOnce {
                    let full = making.filter { $0.value >= Self.runsOfAnAppAtOnce }.map(\.key)
                    guard
                        let run = try await store.take(exceptOf: full, now: clock.now(), holding: Self.holding)
                    else { break }
                    making[run.appNumber, default: 0] += 1
                    group.addTask {
                        try await make(run)
                        return run.appNumber
                    }
                }
                if ended == nil {
                    group.addTask {
                        try? await Task.sleep(for: Self.pause)
                        return nil
                    }
                }
                guard !making.isEmpty else { break }
                ended = try await group.next() ?? nil
            } while !Task.isCancelled
            group.cancelAll()
        }
    }

    private func claim(now: Timestamp, _ complaints: Complaints) async throws {
        let schedules = try await store.all().compactMap(QuestionSchedule.init)
        guard !schedules.isEmpty else { return }
        let apps = Dictionary(uniqueKeysWithValues: try await AppStore(pool: pool).list().map { ($0.number, $0) })
        for (number, schedules) in Dictionary(grouping: schedules, by: \.appNumber) {
            guard let app = apps[number] else { continue }
            var reason: String?
            do {
                try await claim(schedules, of: app, now: now)
            } catch {
                // Else the database is away, for all apps.
                guard let known = Complaints.reason(of: error) else { throw error }
                reason = known
            }
            complaints.record(reason, ["app": "\(app.profile.id)"])
        }
    }

    private func claim(_ schedules: [QuestionSchedule], of app: App, now: Timestamp) async throws {
        let zones = Dictionary(
            uniqueKeysWithValues: try await SavedQuestions(pool: pool).all(of: app)
                .map { ($0.name, $0.zone(in: app)) }
        )
        for schedule in schedules {
            guard let zone = zones[schedule.question] ?? nil, let sending = schedule.due(at: now, in: zone) else {
                continue
            }
            try await store.claim(schedule.number, from: sending.from, to: sending.to, now: now)
        }
    }

    // MARK: One run

    /// What an attempt led to.
    private struct Ending {
        var state: QuestionRun.State
        var remark: String?
        /// What a watch remembers from now on.
        var memory: String?
    }

    private func make(_ run: TakenRun) async throws {
        guard let schedule = try await store.schedule(run.schedule).flatMap(QuestionSchedule.init) else { return }
        let now = try clock.now()
        var metadata: Logger.Metadata = [
            "app": "\(schedule.appID)", "question": "\(schedule.question)", "target": "\(schedule.target.kind)",
            "period": "\(run.from)",
        ]
        do {
            guard run.attempt <= Self.retries.count + 1 else {
                throw SendingFailure("each attempt ended without a result, as if the daemon was killed", mayPass: false)
            }
            let ending = try await attempt(run, schedule, now)
            try await store.finish(
                run,
                as: ending.state,
                remark: ending.remark,
                retry: nil,
                memory: ending.memory,
                now: clock.now()
            )
            if ending.state == .sent { logger.info("a question was sent", metadata: metadata) }
        } catch let error as PostgresError
            where error.isUnavailable && !error.isOfAWorker || error.kind == .closed
        {
            throw error
        } catch {
            if Task.isCancelled { throw error }
            let failure = Self.failure(error)
            let now = try clock.now()
            let pause =
                failure.mayPass && run.attempt <= Self.retries.count
                ? max(Self.retries[run.attempt - 1], failure.retryAfter) : nil
            try await store.finish(
                run,
                as: pause == nil ? .failed : .waiting,
                remark: Redaction.redact(schedule.target.hidden(in: failure.description)),
                retry: pause.map { now.advanced(by: $0) },
                memory: nil,
                now: now
            )
            metadata["reason"] = "\(Redaction.redact(failure.reason))"
            metadata["attempt"] = "\(run.attempt)"
            if let pause {
                metadata["again"] = "in \(pause)"
                logger.warning("a question could not be sent", metadata: metadata)
            } else {
                logger.error("a question was not sent", metadata: metadata)
            }
        }
    }

    private static func failure(_ error: any Error) -> SendingFailure {
        switch error {
        case let failure as SendingFailure: failure
        case let error as ReportError: SendingFailure("\(error)", mayPass: false)
        case is ReportReader.Away, is ReportPlaces.Full: SendingFailure("the database of the app is busy")
        default: SendingFailure("\(error)")
        }
    }

    private func attempt(_ run: TakenRun, _ schedule: QuestionSchedule, _ now: Timestamp) async throws -> Ending {
        let app = try await AppStore(pool: pool).app(id: schedule.appID)
        let question = try await SavedQuestions(pool: pool).required(schedule.question, of: app)
        let sending = SendingTimes.Sending(at: now, from: run.from, to: run.to)
        // The schedule's creation makes the id unique, also among installations; the last day, also if it sent once a
        // day before and sends once a week now.
        let last = CivilDate(number: run.to.number - 1)
        let id = "tributary-\(schedule.number)-\(schedule.createdAt.microseconds)-\(run.from)-\(last)"
        let answer: SentAnswer
        var page: (place: SentAnswer.Page, shared: Int64?)?
        var ending = Ending(state: .sent)
        if let watch = schedule.watch {
            let asked = try WatchRun(schedule, watch, of: question, app: app, about: sending, now: now)
            let results = try await reader.run(asked.requests, waits: true)
            let remarks = try await remarks(app, asked.judged.from, asked.judged.to)
            // What carries a change is worth one more report, but no delay if that fails.
            let outcome = await asked.outcome(results, remarks) { request in
                try? await reader.run([request], waits: true).first
            }
            (ending.remark, ending.memory) = (outcome.remark, outcome.memory)
            guard let found = outcome.answer else {
                ending.state = .quiet
                return ending
            }
            answer = found
        } else {
            guard let zone = question.zone(in: app) else {
                throw SendingFailure("the time zone is unknown", mayPass: false)
            }
            // People are told what has changed.
            let showsChange =
                switch schedule.target {
                case .mail, .slack: true
                case .https, .folder: false
                }
            let questions = try await question.isBoard ? SavedQuestions(pool: pool).list(of: app) : []
            let parts = try await AnsweredPart.answers(
                to: question.parts(among: questions),
                within: Self.boardBudget,
                asking: { question in
                    let earlier = showsChange ? try? question.request(about: sending.before, app: app, now: now) : nil
                    return [try question.request(about: sending, app: app, now: now)] + [earlier].compactMap(\.self)
                },
                run: { try await reader.run($0, waits: true) }
            )
            let days = parts.lazy.compactMap(\.result).first?.request.days ?? (from: sending.from, to: sending.to)
            let remarks = try await remarks(app, days.from, days.to)
            // The last, so that only sending can fail after it.
            page = try await self.page(of: question, among: questions, app, schedule)
            answer = SentAnswer(
                parts,
                of: question,
                about: days,
                in: zone,
                app: app,
                by: schedule,
                page: page?.place,
                remarks
            )
        }
        do {
            try await sender.send(answer, by: schedule, id: id, now: now)
        } catch {
            if let shared = page?.shared { await revoke(shared, of: app) }
            throw error
        }
        return ending
    }

    /// Ends the page of an answer that was not sent; the next attempt has its own.
    private func revoke(_ page: Int64, of app: App) async {
        // Also if sending was cancelled.
        await Task {
            do {
                _ = try await Actor.$current.withValue(Actor.daemon) {
                    try await ShareStore(pool: pool).revoke(page, of: app)
                }
            } catch {
                logger.warning(
                    "the shared page of an answer that was not sent could not be revoked",
                    metadata: ["app": "\(app.profile.id)", "page": "\(page)"]
                )
            }
        }.value
    }

    /// Where the link of an answer leads, and the number of the page that is shared for it; nil without the address of
    /// the dashboard. What lists people meanwhile is not shared.
    private func page(
        of question: SavedQuestion,
        among questions: [SavedQuestion],
        _ app: App,
        _ schedule: QuestionSchedule
    ) async throws -> (place: SentAnswer.Page, shared: Int64?)? {
        guard let dashboard = sender.settings.dashboard else { return nil }
        if schedule.shares, question.sharingRefusal(among: questions) == nil {
            do {
                let (page, secret) = try await Actor.$current.withValue(Actor.daemon) {
                    try await ShareStore(pool: pool).share(
                        question.name,
                        of: app,
                        days: ShareStore.daysOfSending,
                        by: ShareStore.schedule
                    )
                }
                let place = SentAnswer.Page.shared("\(dashboard)/shared/\(secret)", until: page.expiresAt.date)
                return (place: place, shared: page.number)
            } catch is ShareStoreError {
                // The app has too many. Who signs in sees the answer all the same.
            }
        }
        let place = SentAnswer.Page.dashboard("\(dashboard)/questions/question?name=\(question.name)")
        return (place: place, shared: nil)
    }

    /// - Parameter to: the day after the last one.
    private func remarks(_ app: App, _ from: CivilDate, _ to: CivilDate) async throws -> SentAnswer.Remarks {
        SentAnswer.Remarks(
            notices: await reader.notices(of: app),
            freshness: try? await reader.freshness(of: app)?.text,
            notes: try await NoteStore(pool: pool).list(of: app, from: from, to: to)
        )
    }
}
