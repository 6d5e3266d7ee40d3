import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Reporting
import Storage

/// `/questions`: saved questions, a page for each, and the form that saves one.
extension Dashboard {
    private static let questionFormLimit = 64 << 10

    /// - Returns: nil if there is no such page below `/questions`.
    func respondToQuestions(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, SavedQuestion.pagePath), (.head, SavedQuestion.pagePath):
            return await withView(.questions, request, others: ["name", "new"]) { asked throws(DashboardFailure) in
                let fields = try FormFields(request.uri.query ?? "")
                let questions = try await source.questions(of: asked.app)
                guard let question = questions.first(where: { $0.name == fields["name"] }) else {
                    let failure = DashboardFailure.invalid("The app has no question of this name, or it was deleted.")
                    return page(status: .notFound, pages.view(asked, failure: failure, now: now()))
                }
                let view = try await QuestionView(question, asked, isNew: fields["new"] != nil)
                let place = Pages.Place(title: view.name, path: SavedQuestion.pagePath)
                return page(
                    status: .ok,
                    pages.view(
                        asked,
                        at: place,
                        notices: await source.notices(of: asked.app),
                        body: pages.render(view, "question"),
                        now: now()
                    )
                )
            }
        case (.get, QuestionDraft.path), (.head, QuestionDraft.path):
            return await withView(.questions, request, others: nil) { asked throws(DashboardFailure) in
                questionForm(asked, QuestionDraft(try FormFields(request.uri.query ?? ""), today: asked.today))
            }
        case (.post, QuestionDraft.path):
            guard !isCrossSite(request) else { return refusedPage() }
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                try await saveQuestion(asked, try await form(request))
            }
        case (.post, "/questions/delete"):
            guard !isCrossSite(request) else { return refusedPage() }
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                let form = try await form(request)
                try await source.deleteQuestion(form["name"] ?? "", of: asked.app)
                return redirect(to: View.questions.path)
            }
        default:
            return nil
        }
    }

    private func form(_ request: Request) async throws(DashboardFailure) -> FormFields {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.questionFormLimit)
        } catch {
            throw .invalid("The form is too large.")
        }
        return try FormFields(String(buffer: body))
    }

    private func questionForm(_ asked: ViewRequest, _ draft: QuestionDraft, status: HTTPResponse.Status = .ok)
        -> Response
    {
        let place = Pages.Place(title: "Save a question", path: QuestionDraft.path)
        return page(
            status: status,
            pages.view(asked, at: place, body: pages.render(draft, "question-form"), now: now())
        )
    }

    private func saveQuestion(_ asked: ViewRequest, _ form: FormFields) async throws(DashboardFailure) -> Response {
        let fields = try FormFields(form["query"] ?? "")
        let name = form["name"] ?? ""
        do throws(DashboardFailure) {
            let question = try await source.saveQuestion(
                name,
                report: fields["report"] ?? "",
                parameters: QuestionDraft.parameters(fields, isMoving: form["days"] == "last", today: asked.today),
                replacing: form["replace"] != nil,
                of: asked.app
            )
            return redirect(to: question.page + "&new=1")
        } catch .invalid(let problem) {
            let isTaken = try await source.questions(of: asked.app).contains { $0.name == name }
            let draft = QuestionDraft(fields, name: name, problem: problem, isTaken: isTaken, today: asked.today)
            return questionForm(asked, draft, status: .unprocessableContent)
        }
    }
}
