import InboundLinks
import Cryptography
package import Postgres
package import Time

/// When saved questions are sent, and what became of each period. It does not know what a schedule can say: its callers
/// check that. A run whose days are beyond the calendar of reports is left out.
package struct ScheduleStore: Sendable {
    /// How many schedules an app may have.
    package static let limit = 1_000
    /// How many runs of a schedule are kept.
    package static let runLimit = 100

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Saves a schedule, or changes the one with the same question, target and watch.
    ///
    /// - Parameters:
    ///   - schedule: its number, times and secrets are not read.
    ///   - isSigned: whether requests to its target are signed. All schedules of the app with this target have the same
    ///     secret.
    /// - Returns: nil if the app has no such question, or ``limit`` schedules. Also the secret, if it is new.
    package func save(
        _ schedule: StoredSchedule,
        isSigned: Bool
    ) async throws -> (schedule: StoredSchedule, newSecret: String?)? {
        let secret = isSigned ? SigningSecret.generate() : nil
        let saved = try await pool.withTransaction { connection -> (number: Int64, isNew: Bool)? in
            let named: [PostgresValue] = [.int(Int64(schedule.appNumber)), .text(schedule.question), .null]
            let known = try Self.select(named, on: connection)
                .first { $0.target == schedule.target && $0.watch == schedule.watch }
            let saved = try connection.query(
                StoredSQL.saveSchedule,
                [
                    .int(Int64(schedule.appNumber)), .text(schedule.question),
                    schedule.watch.map { .text($0.column) } ?? .null,
                    schedule.watch?.row.map { .text($0) } ?? .null,
                    .text(schedule.period), .int(Int64(schedule.day)), .int(Int64(schedule.minute)),
                    .text(schedule.format), .text(schedule.target), .int(Int64(Self.limit)),
                    PostgresValue(secret), .bool(schedule.shares),
                ]
            )
            .first.map { (number: try $0.int64(0), isNew: try secret != nil && $0.bool(1)) }
            guard let saved else { return nil }
            try connection.log(
                schedule.watch == nil ? .saveSchedule : .saveWatch,
                schedule.question,
                in: schedule.appNumber,
                from: known?.changeFields,
                to: schedule.changeFields
            )
            return saved
        }
        guard let saved, let schedule = try await select([.null, .null, .int(saved.number)]).first else { return nil }
        return (schedule, saved.isNew ? secret : nil)
    }

    /// Gives the schedules with a target a new secret. The former one signs too, for a day.
    ///
    /// - Returns: nil if the app has no schedule with this target that signs.
    package func rotateSecret(of target: String, in app: App) async throws -> String? {
        let secret = SigningSecret.generate()
        let count = try await pool.withTransaction { connection in
            let count = try connection.execute(
                StoredSQL.rotateScheduleSecret,
                [
                    .int(Int64(app.number)), .text(target), .text(secret),
                    .int(SigningSecret.overlap.components.seconds),
                ]
            )
            if count > 0 {
                let subject = ChangeLog.shownAddress(target)
                try connection.log(.rotateScheduleSecret, subject, in: app.number)
            }
            return count
        }
        return count > 0 ? secret : nil
    }

    /// The schedules of an app, or of one question, by the question's name.
    package func list(of app: App, question: String? = nil) async throws -> [StoredSchedule] {
        try await select([.int(Int64(app.number)), question.map { .text($0) } ?? .null, .null])
    }

    /// The schedules of all apps.
    package func all() async throws -> [StoredSchedule] { try await select([.null, .null, .null]) }

    /// Nil if it was deleted, or its question was.
    package func schedule(_ number: Int64) async throws -> StoredSchedule? {
        try await select([.null, .null, .int(number)]).first
    }

    /// Deletes schedules of a question with their runs.
    ///
    /// - Parameters:
    ///   - watching: those that watch, or those that send the answer.
    ///   - target: nil: any.
    /// - Returns: how many there were.
    package func delete(
        of question: String,
        watching: Bool,
        target: String?,
        column: String? = nil,
        row: String? = nil,
        in app: App
    ) async throws -> Int {
        let filter = [target, column, row].map { $0.map { PostgresValue.text($0) } ?? .null }
        let values: [PostgresValue] = [.int(Int64(app.number)), .text(question), .bool(watching)] + filter
        return try await pool.withTransaction { connection in
            let known = try Self.select([.int(Int64(app.number)), .text(question), .null], on: connection)
            let deleted = try connection.query(StoredSQL.deleteSchedules, values).map { try $0.int64(0) }
            guard let first = known.first(where: { deleted.contains($0.number) }) else { return deleted.count }
            let one = deleted.count == 1
            try connection.log(
                watching ? .deleteWatch : .deleteSchedule,
                question,
                in: app.number,
                from: one ? first.changeFields : [("count", .number(Int64(deleted.count)))]
            )
            return deleted.count
        }
    }

    /// Deletes a schedule with its runs.
    ///
    /// - Returns: whether the app had it.
    package func delete(_ number: Int64, in app: App) async throws -> Bool {
        try await pool.withTransaction { connection in
            let known = try Self.select([.int(Int64(app.number)), .null, .int(number)], on: connection).first
            guard try connection.execute(StoredSQL.deleteSchedule, [.int(Int64(app.number)), .int(number)]) > 0 else {
                return false
            }
            try connection.log(
                known?.watch == nil ? .deleteSchedule : .deleteWatch,
                known?.question ?? "",
                in: app.number,
                from: known?.changeFields
            )
            return true
        }
    }

    /// Claims a period, unless somebody has claimed it before. Whoever is first decides; nobody is told twice.
    package func claim(_ schedule: Int64, from: CivilDate, to: CivilDate, now: Timestamp) async throws {
        try await pool.withConnection { connection in
            try connection.transaction {
                let number = PostgresValue.int(schedule)
                try connection.execute(
                    StoredSQL.insertQuestionRun,
                    [number, .text(from.description), .text(to.description), Self.value(now)]
                )
                try connection.execute(StoredSQL.deleteSurplusQuestionRuns, [number, .int(Int64(Self.runLimit))])
            }
        }
    }

    /// Takes the run that has been due for the longest. Nobody else takes it for a while.
    ///
    /// - Parameters:
    ///   - apps: whose runs are left alone.
    ///   - holding: after this time, somebody else may take the run if it is not finished.
    package func take(
        exceptOf apps: [Int32] = [],
        now: Timestamp,
        holding: Duration
    ) async throws -> TakenRun? {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.takeQuestionRun,
                [Self.value(now), Self.value(now.advanced(by: holding)), .intArray(apps.map(Int64.init))]
            )
            .compactMap { row -> TakenRun? in
                guard let from = CivilDate(try row.text(2)), let to = CivilDate(try row.text(3)) else { return nil }
                return TakenRun(
                    schedule: try row.int64(0),
                    appNumber: Int32(try row.int(1)),
                    from: from,
                    to: to,
                    attempt: try row.int(4)
                )
            }
            .first
        }
    }

    /// Ends an attempt. If somebody else has taken the run meanwhile, nothing is written.
    ///
    /// - Parameters:
    ///   - retry: when it is tried again; nil: never.
    ///   - memory: what a watch remembers from now on; nil: as before.
    package func finish(
        _ run: TakenRun,
        as state: QuestionRun.State,
        remark: String?,
        retry: Timestamp?,
        memory: String?,
        now: Timestamp
    ) async throws {
        try await pool.withConnection { connection in
            try connection.transaction {
                let count = try connection.execute(
                    StoredSQL.finishQuestionRun,
                    [
                        .int(run.schedule), .text(run.from.description), .int(Int64(run.attempt)),
                        .text(state.rawValue), remark.map { .text($0) } ?? .null, retry.map(Self.value) ?? .null,
                        Self.value(now), .text(run.to.description),
                    ]
                )
                guard count > 0, let memory else { return }
                try connection.execute(StoredSQL.updateScheduleMemory, [.int(run.schedule), .text(memory)])
            }
        }
    }

    /// The last runs of an app, or of one question, the newest first.
    package func runs(of app: App, question: String? = nil, atMost limit: Int) async throws -> [QuestionRun] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectQuestionRuns,
                [.int(Int64(app.number)), question.map { .text($0) } ?? .null, .int(Int64(limit))]
            )
            .compactMap { row in
                guard let from = CivilDate(try row.text(4)), let to = CivilDate(try row.text(5)) else { return nil }
                return QuestionRun(
                    question: try row.text(0),
                    target: try row.text(1),
                    watch: try Self.watch(row, 2),
                    from: from,
                    to: to,
                    state: QuestionRun.State(rawValue: try row.text(6)) ?? .failed,
                    attempts: try row.int(7),
                    dueAt: try row.optionalTimestamp(8).map { Timestamp(microseconds: $0) },
                    finishedAt: try row.optionalTimestamp(9).map { Timestamp(microseconds: $0) },
                    remark: try row.optionalText(10)
                )
            }
        }
    }

    private func select(_ values: [PostgresValue]) async throws -> [StoredSchedule] {
        try await pool.withConnection { try Self.select(values, on: $0) }
    }

    private static func select(
        _ values: [PostgresValue],
        on connection: isolated PostgresConnection
    ) throws -> [StoredSchedule] {
        try connection.query(StoredSQL.selectSchedules, values).map { row in
            var schedule = StoredSchedule(
                number: try row.int64(0),
                appNumber: Int32(try row.int(1)),
                appID: try row.text(2),
                question: try row.text(3),
                watch: try watch(row, 4),
                period: try row.text(6),
                day: try row.int(7),
                minute: try row.int(8),
                format: try row.text(9),
                target: try row.text(10),
                memory: try row.optionalText(11),
                createdAt: Timestamp(microseconds: try row.timestamp(12)),
                lastClaim: try row.optionalTimestamp(15).flatMap { time in
                    guard let from = CivilDate(try row.text(13)), let to = CivilDate(try row.text(14)) else {
                        return nil
                    }
                    return StoredSchedule.Claim(from: from, to: to, at: Timestamp(microseconds: time))
                }
            )
            schedule.shares = try row.bool(18)
            schedule.secrets = try [row.optionalText(16), row.optionalText(17)].compactMap(\.self)
            return schedule
        }
    }

    private static func watch(_ row: PostgresRow, _ column: Int) throws -> StoredSchedule.Watch? {
        guard let name = try row.optionalText(column) else { return nil }
        return StoredSchedule.Watch(column: name, row: try row.optionalText(column + 1))
    }

    private static func value(_ time: Timestamp) -> PostgresValue { .timestamp(microseconds: time.microseconds) }
}
