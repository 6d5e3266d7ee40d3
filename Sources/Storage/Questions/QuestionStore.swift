package import Postgres
import Time

/// The saved questions of apps. It does not know what reports can mean: its callers check parameters before they save.
package struct QuestionStore: Sendable {
    /// How many questions an app may have, and how many of its deleted ones are kept.
    package static let limit = 1_000
    /// How long a deleted question can be restored.
    package static let restorable: Duration = .seconds(30 * 86_400)

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// All questions of an app, by name.
    package func list(of app: App) async throws -> [StoredQuestion] {
        try await select(nil, of: app)
    }

    /// Nil if the app has no question of this name.
    package func question(named name: QuestionName, of app: App) async throws -> StoredQuestion? {
        try await select(name, of: app).first
    }

    /// Saves a question under a name that is free.
    ///
    /// - Returns: nil if the app has a question of this name, or ``limit`` questions.
    package func add(
        _ name: QuestionName,
        report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws -> StoredQuestion? {
        let values = Self.values(name, report, parameters, app) + [.int(Int64(Self.limit))]
        return try await pool.withTransaction { connection in
            guard let row = try connection.query(StoredSQL.insertQuestion, values).first else { return nil }
            let saved = try Self.question(row)
            try ChangeLog.write(
                .saveQuestion,
                name.text,
                app: app.number,
                after: saved?.changeFields ?? [],
                on: connection
            )
            return saved
        }
    }

    /// Gives a question another report and other parameters.
    ///
    /// - Returns: nil if the app has no question of this name.
    package func replace(
        _ name: QuestionName,
        report: String,
        parameters: [(name: String, value: String)],
        of app: App
    ) async throws -> StoredQuestion? {
        let values = Self.values(name, report, parameters, app)
        return try await pool.withTransaction { connection in
            let known = try Self.select(name, of: app, on: connection).first
            guard let row = try connection.query(StoredSQL.updateQuestion, values).first else { return nil }
            let saved = try Self.question(row)
            try ChangeLog.write(
                .saveQuestion,
                name.text,
                app: app.number,
                before: known?.changeFields ?? [],
                after: saved?.changeFields ?? [],
                on: connection
            )
            return saved
        }
    }

    /// Marks a question as deleted. It can be restored for some time (``restorable``).
    ///
    /// - Returns: whether there was such a question.
    package func delete(_ name: QuestionName, of app: App) async throws -> Bool {
        let number = PostgresValue.int(Int64(app.number))
        return try await pool.withConnection { connection in
            try connection.transaction {
                let known = try Self.select(name, of: app, on: connection).first
                guard try connection.execute(StoredSQL.deleteQuestion, [number, .text(name.text)]) > 0 else {
                    return false
                }
                try ChangeLog.write(
                    .deleteQuestion,
                    name.text,
                    app: app.number,
                    before: known?.changeFields ?? [],
                    on: connection
                )
                try connection.execute(StoredSQL.deleteSurplusQuestions, [number, .int(Int64(Self.limit))])
                return true
            }
        }
    }

    /// The questions of an app that can be restored, those that were deleted last first.
    package func deleted(of app: App) async throws -> [StoredQuestion] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectDeletedQuestions,
                [.int(Int64(app.number)), .int(Self.restorable.components.seconds)]
            )
            .compactMap { row in
                var question = try Self.question(row)
                question?.deletion = .init(
                    number: try row.int64(6),
                    at: Timestamp(microseconds: try row.timestamp(7))
                )
                return question
            }
        }
    }

    /// Restores a deleted question under its name.
    ///
    /// - Returns: nil if there is no such deleted question, if its name is taken, or if the app has ``limit``
    ///   questions.
    package func restore(_ deletion: StoredQuestion.Deletion, of app: App) async throws -> StoredQuestion? {
        do {
            return try await pool.withTransaction { connection in
                let restored = try connection.query(
                    StoredSQL.restoreQuestion,
                    [.int(Int64(app.number)), .int(deletion.number), .int(Int64(Self.limit))]
                )
                .first.flatMap(Self.question)
                guard let restored else { return nil }
                try ChangeLog.write(
                    .restoreQuestion,
                    restored.name.text,
                    app: app.number,
                    after: restored.changeFields,
                    on: connection
                )
                return restored
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            return nil
        }
    }

    private func select(_ name: QuestionName?, of app: App) async throws -> [StoredQuestion] {
        try await pool.withConnection { try Self.select(name, of: app, on: $0) }
    }

    private static func select(
        _ name: QuestionName?,
        of app: App,
        on connection: isolated PostgresConnection
    ) throws -> [StoredQuestion] {
        try connection.query(
            StoredSQL.selectQuestions,
            [.int(Int64(app.number)), name.map { .text($0.text) } ?? .null]
        )
        .compactMap(question)
    }

    private static func values(
        _ name: QuestionName,
        _ report: String,
        _ parameters: [(name: String, value: String)],
        _ app: App
    ) -> [PostgresValue] {
        [
            .int(Int64(app.number)), .text(name.text), .text(report), .textArray(parameters.map(\.name)),
            .textArray(parameters.map(\.value)),
        ]
    }

    /// Nil if its name is none, as a later version may allow.
    private static func question(_ row: PostgresRow) throws -> StoredQuestion? {
        guard let name = QuestionName(try row.text(0)) else { return nil }
        return StoredQuestion(
            name: name,
            report: try row.text(1),
            parameters: zip(try row.textArray(2), try row.textArray(3)).map { (name: $0, value: $1) },
            createdAt: Timestamp(microseconds: try row.timestamp(4)),
            updatedAt: Timestamp(microseconds: try row.timestamp(5))
        )
    }
}
