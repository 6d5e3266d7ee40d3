import HTTPTypes
package import HummingbirdCore
import Ingest
import Markup
import Reporting
import Storage

/// `/questions`: saved questions, a page for each, and the form that saves one.
extension Dashboard {
    static let questionDeletionPath = "/questions/delete"
    static let questionRestorationPath = "/questions/restore"

    /// - Returns: nil if there is no such page below `/questions`.
    func respondToQuestions(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, SavedQuestion.pagePath), (.head, SavedQuestion.pagePath):
            return await withView(.questions, request, others: ["name", "new"]) { asked throws(DashboardFailure) in
                let fields = try FormFields(request.uri.query ?? "")
                guard let question = try await question(fields["name"], of: asked.app) else {
                    return missingQuestion(asked)
                }
                if question.isBoard { return redirect(to: question.page) }
                let view = try await QuestionView(question, asked, isNew: fields["new"] != nil)
                let place = Pages.Place(title: view.name, path: SavedQuestion.pagePath)
                return await pageOfFigures(asked, at: place, pages.render(view, "question"))
            }
        case (.get, ReportAddress.newQuestion), (.head, ReportAddress.newQuestion):
            return await withView(.questions, request, others: nil) { asked throws(DashboardFailure) in
                questionForm(QuestionDraft(try FormFields(request.uri.query ?? ""), today: asked.today), asked)
            }
        case (.post, ReportAddress.newQuestion):
            // Anybody who is signed in may save a question under a free name. Replacing one changes what others read.
            return await changing(
                request,
                isFree: { $0["replace"] == nil },
                again: questionForm
            ) { form, asked throws(DashboardFailure) in
                let fields = try FormFields(form["query"] ?? "")
                let isMoving = form["days"] == "last"
                let question = try await stores.ask {
                    try await $0.questions.save(
                        form["name"] ?? "",
                        report: fields["report"] ?? "",
                        parameters: QuestionDraft.parameters(fields, isMoving: isMoving, today: asked.today),
                        of: asked.app,
                        replacing: form["replace"] != nil,
                        now: asked.now
                    )
                }
                return redirect(to: question.page + "&new=1")
            }
        case (_, Self.questionDeletionPath):
            return await confirming(
                request,
                at: path,
                fields: ["name"],
                ask: questionDeletion,
                missing: { missingQuestion($1) }
            ) { form, asked throws(DashboardFailure) in
                try await stores.ask { try await $0.questions.delete(form["name"] ?? "", of: asked.app) }
                return redirect(to: View.questions.path)
            }
        case (_, Self.questionRestorationPath):
            return await confirming(
                request,
                at: path,
                fields: ["name", "number"],
                ask: questionRestoration,
                missing: { missingQuestion($1) }
            ) { form, asked throws(DashboardFailure) in
                guard let number = Int64(form["number"] ?? "") else { throw .invalid("‘number’ must be a number.") }
                let question = try await stores.ask {
                    try await $0.questions.restore(form["name"] ?? "", number: number, of: asked.app)
                }
                return redirect(to: question.page)
            }
        case (.get, _) where path.hasPrefix("/questions/"), (.head, _) where path.hasPrefix("/questions/"):
            // Where programs get the answer of a question (`programPath`), people are led to its page.
            let name = QuestionName(String(path.dropFirst("/questions/".count)))
            return name.map { redirect(to: SavedQuestion.page($0.text)) }
        default:
            return nil
        }
    }

    private func question(_ name: String?, of app: App) async throws(DashboardFailure) -> SavedQuestion? {
        try await stores.questions(of: app).first { $0.name == name }
    }

    func missingQuestion(_ asked: ViewRequest) -> Response {
        let failure = DashboardFailure.invalid("The app has no question of this name, or it was deleted.")
        return page(status: .notFound, pages.view(asked, failure: failure, now: now()))
    }

    private func questionDeletion(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        try await question(fields["name"], of: asked.app).map { question in
            let consequence: HTML = """
                Programs that read <code>\(question.path(.csv))</code> then get 404. The question can be restored for \
                30 days, here or with <code>tributary question restore \(question.name)</code>.
                """
            return Confirmation(
                title: "Delete the \(question.kind) \(question.name)?",
                subject: question.report,
                detail: FormFields.words(question.parameters),
                consequence: question.isBoard
                    ? "Its questions stay. It can be restored for 30 days." : consequence.text,
                button: "Delete the \(question.kind)"
            )
        }
    }

    private func questionRestoration(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let deleted = try await stores.ask { try await $0.questions.deleted(of: asked.app) }
        return deleted.first { $0.deletion?.number == Int64(fields["number"] ?? "") }.map {
            Confirmation(
                title: "Restore the \($0.kind) \($0.name)?",
                subject: $0.report,
                detail: FormFields.words($0.parameters),
                button: "Restore the \($0.kind)",
                backTitle: "Cancel"
            )
        }
    }

    package func programPath(of request: Request) -> String? {
        let accepted = request.headers[.accept] ?? ""
        guard request.method == .get || request.method == .head, Session.id(of: request.headers) == nil,
            !accepted.contains("text/html")
        else { return nil }
        let path = request.uri.path
        if path == View.questions.path { return "/v1/questions" }
        guard path.hasPrefix("/questions/") else { return nil }
        let named = path == SavedQuestion.pagePath ? (try? FormFields(request.uri.query ?? ""))?["name"] : nil
        let name = String((named ?? String(path.dropFirst("/questions/".count))).prefix { $0 != "." })
        guard QuestionName(name) != nil else { return nil }
        let format = path.hasSuffix(".json") || accepted.contains("application/json") ? "json" : "csv"
        return "/v1/questions/\(name).\(format)"
    }

    /// The form again, after nothing was saved.
    private func questionForm(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let fields = try FormFields(form["query"] ?? "")
        let known = form.key.hasProblem ? [] : try await stores.questions(of: asked.app)
        let isTaken = form.key.hasProblem || known.contains { $0.name == form["name"] }
        let draft = QuestionDraft(fields, form, isTaken: isTaken, today: asked.today)
        return questionForm(draft, asked, status: form.status)
    }

    private func questionForm(_ draft: QuestionDraft, _ asked: ViewRequest, status: HTTPResponse.Status = .ok)
        -> Response
    {
        let place = Pages.Place(title: "Save a question", path: ReportAddress.newQuestion)
        return page(asked, at: place, draft, "question-form", status: status)
    }
}
