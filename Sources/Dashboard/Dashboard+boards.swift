import HTTPTypes
import HummingbirdCore
import Ingest
import Reporting
import Storage

/// `/questions/board`: the page of a board, and the form that makes one. Boards are deleted, restored and sent as
/// questions are.
extension Dashboard {
    /// - Returns: nil if there is no such page.
    func respondToBoards(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, SavedQuestion.boardPath), (.head, SavedQuestion.boardPath):
            return await withView(.questions, request, others: ["name", "new"]) { asked throws(DashboardFailure) in
                let fields = try FormFields(request.uri.query ?? "")
                guard asked.filters.isEmpty else {
                    throw .invalid("This page has no parameter ‘where’: its questions have their own conditions.")
                }
                let found = try await source.questions(of: asked.app).first { $0.name == fields["name"] && $0.isBoard }
                guard let board = found else { return missingQuestion(asked) }
                var asked = asked
                if fields["from"] == nil, fields["through"] == nil {
                    let days = try FormFields(FormFields.encode(QuestionPlace.days(board.range, today: asked.today)))
                    asked = try ViewRequest(.questions, fields: days, app: asked.app, source: source, now: asked.now)
                }
                let view = try await BoardView(board, asked, isNew: fields["new"] != nil)
                let place = Pages.Place(title: board.name, path: path, fields: [("name", board.name)], hasDays: true)
                return await pageOfFigures(asked, at: place, pages.render(view, "board"))
            }
        case (.get, BoardForm.path), (.head, BoardForm.path):
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                boardForm(asked, try await BoardForm(FormFields(), asked))
            }
        case (.post, BoardForm.path):
            // Anybody who is signed in may save a board under a free name, as a question.
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                let form = try await form(request)
                do throws(DashboardFailure) {
                    let board = try await source.saveQuestion(
                        form["name"] ?? "",
                        report: SavedQuestion.boardReport,
                        parameters: try BoardForm.parameters(form),
                        replacing: false,
                        of: asked.app
                    )
                    return redirect(to: board.page + "&new=1")
                } catch .invalid(let problem) {
                    let again = try await BoardForm(form, asked, problem: problem)
                    return boardForm(asked, again, status: .unprocessableContent)
                }
            }
        default: return nil
        }
    }

    private func boardForm(_ asked: ViewRequest, _ form: BoardForm, status: HTTPResponse.Status = .ok) -> Response {
        page(asked, at: Pages.Place(title: "Make a board", path: BoardForm.path), form, "board-form", status: status)
    }
}
