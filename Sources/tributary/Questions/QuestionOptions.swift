import ArgumentParser
import InboundLinks
import Postgres
import Reporting
import Storage
import Time

/// The app whose questions a command works on.
struct QuestionOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    /// Runs the body with the app and its questions.
    func withQuestions<Result>(
        _ body: (SavedQuestions, App, PostgresPool) async throws -> Result
    ) async throws -> Result {
        try await database.withPool(size: try await database.reportConnections(), readsOnly: true) { pool in
            try await body(SavedQuestions(pool: pool), try await app.app(on: pool), pool)
        }
    }

    /// Deletes a question or a board after confirmation.
    ///
    /// - Parameter check: throws if it is not what the command deletes.
    func delete(
        _ name: String,
        yes: Bool,
        as form: RecordFormat.Form,
        check: (SavedQuestion) throws -> Void = { _ in }
    ) async throws {
        let record = try await withQuestions { questions, app, _ in
            let question = try await questions.required(name, of: app)
            try check(question)
            try Confirmation.ask(
                "Delete the \(question.isBoard ? "board" : "question") '\(name)'?",
                answer: "yes",
                yes: yes
            )
            try await questions.delete(name, of: app)
            return question.record(in: app)
        }
        record.print(as: form)
        StandardError.write("'tributary question restore \(name)' restores it, for 30 days")
    }
}

extension SavedQuestion {
    /// - Throws: `CommandFailure` for a question.
    func checkIsBoard() throws {
        guard isBoard else { throw CommandFailure(.usage, "'\(name)' is a question, not a board") }
    }

    /// - Parameter schedules: when it is sent or watched.
    func record(in app: App, sending schedules: [QuestionSchedule] = []) -> Record {
        Record(
            [
                ("name", .string(name)), isBoard ? ("questions", .list(members)) : ("report", .string(report)),
                ("command", .string(command(in: app))),
            ]
                + (isBoard ? [] : [("csv", .string(path(.csv))), ("json", .string(path(.json)))])
                + [
                    ("created_at", .string(createdAt.rfc3339)), ("updated_at", .string(updatedAt.rfc3339)),
                ]
                + (schedules.isEmpty
                    ? [] : [("sent", .list(schedules.map { "\($0.words) to \($0.target.text)" }))])
                + (deletion.map { [("number", .number($0.number)), ("deleted_at", .string($0.at.rfc3339))] } ?? [])
        )
    }
}
