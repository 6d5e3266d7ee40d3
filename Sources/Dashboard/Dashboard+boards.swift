import HTTPTypes
import HummingbirdCore
import Ingest
import Reporting
import Storage

/// `/questions/board`: the page of a board, and the form that makes one or changes it. Boards are deleted, restored and
/// sent as questions are.
extension Dashboard {
    /// - Returns: nil if there is no such page.
    func respondToBoards(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, SavedQuestion.boardPath), (.head, SavedQuestion.boardPath):
            return await withView(.questions, request, others: ["name", "new"]) { asked throws(DashboardFailure) in
                let fields = try FormFields(request.uri.query ?? "")
                if let filter = asked.filters.parameters.first {
                    throw .invalid(
                        "This page has no parameter ‘\(filter.name)’: its questions have their own conditions."
                    )
                }
                guard let board = try await board(fields["name"], of: asked.app) else { return missingQuestion(asked) }
                var asked = asked
                if fields["from"] == nil, fields["through"] == nil {
                    let days = try FormFields(FormFields.encode(QuestionPlace.days(board.range, today: asked.today)))
                    asked = try ViewRequest(
                        .questions,
                        fields: days,
                        app: asked.app,
                        source: source,
                        stores: stores,
                        now: asked.now
                    )
                }
                let view = try await BoardView(board, asked, isNew: fields["new"] != nil)
                let place = Pages.Place(title: board.name, path: path, fields: [("name", board.name)], hasDays: true)
                return await pageOfFigures(asked, at: place, pages.render(view, "board"))
            }
        case (.get, BoardForm.path), (.head, BoardForm.path):
            return await withView(.questions, request, others: ["board"]) { asked throws(DashboardFailure) in
                guard let name = try FormFields(request.uri.query ?? "")["board"] else {
                    return try await boardForm(FormState(), asked)
                }
                guard let board = try await board(name, of: asked.app) else { return missingQuestion(asked) }
                return try await boardForm(FormState(fields: try BoardForm.fields(of: board)), asked)
            }
        case (.post, BoardForm.path):
            // As of a question: anybody who is signed in may save a board under a free name.
            return await changing(
                request,
                isFree: { !BoardForm.isChange($0) },
                again: boardForm
            ) { form, asked throws(DashboardFailure) in
                let parameters = try BoardForm.parameters(form)
                let board = try await stores.ask {
                    try await $0.questions.save(
                        form["name"] ?? "",
                        report: SavedQuestion.boardReport,
                        parameters: parameters,
                        of: asked.app,
                        replacing: BoardForm.isChange(form),
                        now: asked.now
                    )
                }
                return redirect(to: board.page + "&new=1")
            }
        default: return nil
        }
    }

    private func board(_ name: String?, of app: App) async throws(DashboardFailure) -> SavedQuestion? {
        try await stores.questions(of: app).first { $0.name == name && $0.isBoard }
    }

    private func boardForm(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let content = try await BoardForm(form, asked)
        let title = content.isChange ? "Change the board \(content.name)" : "Make a board"
        let place = Pages.Place(title: title, path: BoardForm.path)
        return page(asked, at: place, content, "board-form", status: form.status)
    }
}
