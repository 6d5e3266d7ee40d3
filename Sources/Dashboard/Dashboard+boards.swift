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
                    return boardForm(asked, try await BoardForm(FormFields(), asked))
                }
                guard let board = try await board(name, of: asked.app) else { return missingQuestion(asked) }
                return boardForm(asked, try await BoardForm(try BoardForm.fields(of: board), asked))
            }
        case (.post, BoardForm.path):
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                let form = try await form(request)
                let isChange = BoardForm.isChange(form)
                // As of a question: anybody who is signed in may save a board under a free name.
                if isChange, let key = try await refusedKey(form, of: asked.app) {
                    return boardForm(asked, try await BoardForm(form, asked, key: key), status: .forbidden)
                }
                do throws(DashboardFailure) {
                    let parameters = try BoardForm.parameters(form)
                    let board = try await stores.ask {
                        try await $0.questions.save(
                            form["name"] ?? "",
                            report: SavedQuestion.boardReport,
                            parameters: parameters,
                            of: asked.app,
                            replacing: isChange,
                            now: asked.now
                        )
                    }
                    return redirect(to: board.page + "&new=1")
                } catch .invalid(let problem) {
                    let again = try await BoardForm(form, asked, problem: problem)
                    return boardForm(asked, again, status: .unprocessableContent)
                }
            }
        default: return nil
        }
    }

    private func board(_ name: String?, of app: App) async throws(DashboardFailure) -> SavedQuestion? {
        try await stores.questions(of: app).first { $0.name == name && $0.isBoard }
    }

    private func boardForm(_ asked: ViewRequest, _ form: BoardForm, status: HTTPResponse.Status = .ok) -> Response {
        let title = form.isChange ? "Change the board \(form.name)" : "Make a board"
        return page(asked, at: Pages.Place(title: title, path: BoardForm.path), form, "board-form", status: status)
    }
}
