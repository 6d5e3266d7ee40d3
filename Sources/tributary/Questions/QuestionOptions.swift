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
}

extension SavedQuestion {
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
