package import Postgres
import Time

/// The saved questions of apps. It does not know what reports can mean: its callers check parameters before they save.
package struct QuestionStore: Sendable {
    /// How many questions an app may have.
    package static let limit = 1_000

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
        return try await pool.withConnection { connection in
            try connection.query(StoredSQL.insertQuestion, values).first.map(Self.question)
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
        return try await pool.withConnection { connection in
            try connection.query(StoredSQL.updateQuestion, values).first.map(Self.question)
        }
    }

    /// - Returns: whether there was such a question.
    package func delete(_ name: QuestionName, of app: App) async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.execute(StoredSQL.deleteQuestion, [.int(Int64(app.number)), .text(name.text)]) > 0
        }
    }

    private func select(_ name: QuestionName?, of app: App) async throws -> [StoredQuestion] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectQuestions,
                [.int(Int64(app.number)), name.map { .text($0.text) } ?? .null]
            )
            .map(Self.question)
        }
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

    private static func question(_ row: PostgresRow) throws -> StoredQuestion {
        guard let name = QuestionName(try row.text(0)) else {
            throw PostgresError(.unexpectedResult, "a stored question has a name that is none")
        }
        return StoredQuestion(
            name: name,
            report: try row.text(1),
            parameters: zip(try row.textArray(2), try row.textArray(3)).map { (name: $0, value: $1) },
            createdAt: Timestamp(microseconds: try row.timestamp(4)),
            updatedAt: Timestamp(microseconds: try row.timestamp(5))
        )
    }
}
