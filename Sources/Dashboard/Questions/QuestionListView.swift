import Reporting
import Storage

/// The saved questions and the boards of the app, for the template `questions`.
struct QuestionListView {
    struct Row {
        var name: String
        var page: String
        var report: String
        var parameters: String
        var saved: String
        /// Each kind of target, and when.
        var sent: String
        /// The page that asks whether to delete it.
        var deletion: String
    }

    /// A deleted question that can be restored.
    struct Deleted {
        var name: String
        /// The page that asks whether to restore it.
        var restoration: String
        var report: String
        var parameters: String
        var time: String
    }

    var rows: [Row]
    var deleted: [Deleted]
    /// Whether the one who asks may change questions.
    var isEditable = Caller.may(.analyst)

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let time = LocalTime(timeZone: request.timeZone)
        var sent: [String: [String]] = [:]
        if isEditable {
            for schedule in try await request.stores.ask({ try await $0.schedules.list(of: request.app) }) {
                sent[schedule.question, default: []].append("\(schedule.target.kind), \(schedule.words)")
            }
        }
        rows = try await request.stores.questions(of: request.app).map { question in
            Row(
                name: question.name,
                page: question.page,
                report: question.report,
                parameters: question.parameterWords,
                saved: time.text(question.updatedAt),
                sent: sent[question.name]?.joined(separator: "; ") ?? "",
                deletion: Dashboard.questionDeletionPath + "?" + FormFields.encode([("name", question.name)])
            )
        }
        deleted = try await request.stores.ask { try await $0.questions.deleted(of: request.app) }.map { question in
            Deleted(
                name: question.name,
                restoration: Dashboard.questionRestorationPath + "?"
                    + FormFields.encode([
                        ("name", question.name), ("number", question.deletion.map { "\($0.number)" } ?? ""),
                    ]),
                report: question.report,
                parameters: question.parameterWords,
                time: question.deletion.map { time.text($0.at) } ?? ""
            )
        }
    }
}

extension SavedQuestion {
    static let pagePath = "/questions/question"
    static let boardPath = "/questions/board"

    /// Its parameters as a reader sees them; of a board its questions: `by-ref, logins · from=7days`.
    fileprivate var parameterWords: String {
        // They may have the id of a person.
        guard Caller.seesPeople || !People.areAsked(by: parameters) else { return "" }
        guard isBoard else { return FormFields.words(parameters) }
        let names = members.joined(separator: ", ")
        return range.isEmpty ? names : names + " · " + FormFields.words(range)
    }

    var kind: String { isBoard ? "board" : "question" }

    /// The URL of its page.
    var page: String { isBoard ? Self.boardPath + "?" + FormFields.encode([("name", name)]) : Self.page(name) }

    static func page(_ name: String) -> String { pagePath + "?" + FormFields.encode([("name", name)]) }
}
