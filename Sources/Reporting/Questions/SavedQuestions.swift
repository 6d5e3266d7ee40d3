import InboundLinks
package import Postgres
package import Storage
import Text
package import Time

/// The saved questions of apps, for the command line, HTTP and the dashboard.
package struct SavedQuestions: Sendable {
    private let store: QuestionStore

    package init(pool: PostgresPool) {
        store = QuestionStore(pool: pool)
    }

    /// All questions of an app, by name, without boards.
    package func list(of app: App) async throws -> [SavedQuestion] { try await all(of: app).filter { !$0.isBoard } }

    /// The same with boards. No two have the same name.
    package func all(of app: App) async throws -> [SavedQuestion] {
        try await store.list(of: app).map(SavedQuestion.init)
    }

    /// Nil if the app has no question or board of this name.
    package func question(named name: String, of app: App) async throws -> SavedQuestion? {
        guard let name = QuestionName(name) else { return nil }
        return try await store.question(named: name, of: app).map(SavedQuestion.init)
    }

    /// - Throws: `QuestionError.unknown`, with the name that was likely meant.
    package func required(_ name: String, of app: App) async throws -> SavedQuestion {
        if let question = try await question(named: name, of: app) { return question }
        throw try await unknown(name, of: app)
    }

    /// Saves a report with its parameters, if the report can mean them, or a board, whose report is
    /// `SavedQuestion.boardReport`.
    ///
    /// - Parameters:
    ///   - parameters: as over HTTP, names without dashes, without `format`. A flag has the value `true`.
    ///   - replacing: whether a question of this name is replaced.
    /// - Throws: `ReportError.usage` for a name or parameters that are refused, also because they hold a secret;
    ///   `QuestionError.exists`, `.tooMany`; `.unknown` for a question of a board.
    package func save(
        _ name: String,
        report: String,
        parameters: [(name: String, value: String)],
        of app: App,
        replacing: Bool,
        now: Timestamp = .now
    ) async throws -> SavedQuestion {
        if Redaction.redact(name) != name {
            throw ReportError.usage(
                message: "the name holds a secret, such as an access token; choose another name",
                field: "name"
            )
        }
        for parameter in parameters where Redaction.redact(parameter.value) != parameter.value {
            throw ReportError.invalid(
                parameter.name,
                "holds a secret, such as an access token, and is not saved; leave the secret out, "
                    + "or write REDACTED in its place, as events are stored"
            )
        }
        guard let checked = QuestionName(name) else {
            throw ReportError.usage(
                message: "'\(name)' is no name of a question; a name has \(QuestionName.rule)",
                field: "name"
            )
        }
        if parameters.contains(where: { $0.name == "format" }) {
            throw ReportError.invalid("format", "is not saved; it is chosen when the question is run")
        }
        if report == SavedQuestion.boardReport {
            try await checkBoard(parameters, of: app, now: now)
        } else {
            _ = try ReportRequest.parse(name: report, parameters: parameters, origin: .http, app: app, now: now)
        }
        let other = try await question(named: name, of: app)
        if let other, other.isBoard != (report == SavedQuestion.boardReport) {
            throw ReportError.usage(
                message: "'\(name)' is a \(other.isBoard ? "board" : "question"); choose another name",
                field: "name"
            )
        }
        if replacing, let question = try await store.replace(checked, report: report, parameters: parameters, of: app) {
            return SavedQuestion(question)
        }
        if let question = try await store.add(checked, report: report, parameters: parameters, of: app) {
            return SavedQuestion(question)
        }
        guard try await store.question(named: checked, of: app) != nil else {
            throw QuestionError.tooMany(limit: QuestionStore.limit)
        }
        throw QuestionError.exists(name)
    }

    /// The deleted questions of an app that can be restored, those that were deleted last first.
    package func deleted(of app: App) async throws -> [SavedQuestion] {
        try await store.deleted(of: app).map(SavedQuestion.init)
    }

    /// Restores a deleted question under its name.
    ///
    /// - Parameter number: which one of this name; nil: the one that was deleted last.
    /// - Throws: `QuestionError.notDeleted`, `.taken`, `.tooMany`.
    package func restore(_ name: String, number: Int64? = nil, of app: App) async throws -> SavedQuestion {
        let deleted = try await deleted(of: app)
        let deletion = deleted.first { $0.name == name && (number == nil || $0.deletion?.number == number) }?.deletion
        guard let deletion else {
            throw QuestionError.notDeleted(name, closest: closestName(to: name, among: deleted.map(\.name)))
        }
        if let question = try await store.restore(deletion, of: app) { return SavedQuestion(question) }
        guard try await question(named: name, of: app) != nil else {
            throw QuestionError.tooMany(limit: QuestionStore.limit)
        }
        throw QuestionError.taken(name)
    }

    /// Deletes a question. It can be restored for some time.
    ///
    /// - Throws: `QuestionError.unknown`.
    package func delete(_ name: String, of app: App) async throws {
        if let checked = QuestionName(name), try await store.delete(checked, of: app) { return }
        throw try await unknown(name, of: app)
    }

    private func unknown(_ name: String, of app: App) async throws -> QuestionError {
        .unknown(name, closest: closestName(to: name, among: try await all(of: app).map(\.name)))
    }
}
