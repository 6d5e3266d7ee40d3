import Reporting
import Storage

/// The questions of a board with their pictures and first rows, for the template `board`.
struct BoardView {
    /// How many rows of a question are shown.
    private static let shownRows = 10

    /// The page that asks whether to delete it.
    var deletion: String
    var panels: [Panel] = []
    var sending: SendingView
    var isNew: Bool

    /// - Parameter request: its days are those of all questions.
    init(_ board: SavedQuestion, _ request: ViewRequest, isNew: Bool) async throws(DashboardFailure) {
        self.isNew = isNew
        deletion = Dashboard.questionDeletionPath + "?" + FormFields.encode([("name", board.name)])
        sending = try await SendingView(board, request)
        let parts = board.parts(among: try await request.source.questions(of: request.app), in: request.span.parameters)
        try await request.readTogether(
            parts.compactMap(\.question).map { ReportAddress(report: $0.report, parameters: $0.parameters) }
        )
        for part in parts {
            var panel = Panel(anchor: "question-\(part.name)", heading: part.name)
            if let question = part.question {
                panel.more = .init(words: "", link: "The question's page", href: question.page)
                do throws(DashboardFailure) {
                    panel.tables = [try await Self.table(of: question, request)]
                } catch .invalid(let reason) {
                    panel.emptiness = reason
                }
            } else {
                panel.emptiness = "The question was deleted. It can be restored for 30 days."
            }
            panels.append(panel)
        }
    }

    /// The first rows, and the last, which is often the total.
    private static func table(of question: SavedQuestion, _ request: ViewRequest)
        async throws(DashboardFailure) -> TableView
    {
        let figures = try await request.rows(question.report, question.parameters)
        let count = figures.rows.count
        let rows = count > shownRows ? figures.rows.prefix(shownRows - 1) + figures.rows.suffix(1) : figures.rows[...]
        var first = ReportRows(columns: figures.columns, rows: rows.map(\.cells))
        first.drawn = figures.drawn
        var table = TableView(first, of: question)
        if count > shownRows { table.rest = "\(shownRows) of \(count) rows; the CSV has all." }
        return table
    }
}

extension TableView {
    /// The answer to a question, with its first figure drawn.
    init(_ figures: ReportRows, of question: SavedQuestion) {
        self.init(
            figures,
            caption: question.name,
            address: ReportAddress(report: question.report, parameters: question.parameters),
            meter: figures.drawn,
            isShown: true,
            group: question.parameters.first { $0.name == "by" }?.value
        )
    }
}

/// The form that makes a board, for the template `board-form`.
struct BoardForm {
    static let path = "/questions/new-board"

    private static let ranges: [(value: String, title: String)] = [
        ("", "the last 30 days"), ("from=7days", "the last 7 days"), ("from=90days", "the last 90 days"),
        ("from=monday", "this week"), ("from=last-week&to=monday", "last week"), ("from=this-month", "this month"),
        ("from=last-month&to=this-month", "last month"),
    ]

    /// One of the places on the board.
    struct Place {
        var field: String
        var number: Int
        var questions: [Choice]
    }

    var name: String
    var places: [Place]
    var days: [Choice]
    var rule = QuestionName.rule
    var problem: String?

    /// - Parameter form: as it was sent.
    init(_ form: FormFields, _ request: ViewRequest, problem: String? = nil) async throws(DashboardFailure) {
        let form = form.redacted
        name = form["name"] ?? ""
        let names = try await request.source.questions(of: request.app).filter { !$0.isBoard }.map(\.name)
        places = (1...max(1, min(names.count, SavedQuestion.memberLimit))).map { number in
            let field = "question\(number)"
            return Place(
                field: field,
                number: number,
                questions: Choice.names(names, chosen: form[field], first: "(none)")
            )
        }
        days = Self.ranges.map { Choice(value: $0.value, title: $0.title, isChosen: $0.value == form["days"] ?? "") }
        self.problem = problem
    }

    /// What a form says: the questions in their order, then the range.
    static func parameters(_ form: FormFields) throws(DashboardFailure) -> [(name: String, value: String)] {
        (1...SavedQuestion.memberLimit).compactMap { form["question\($0)"] }.map { (SavedQuestion.memberField, $0) }
            + (try FormFields(form["days"] ?? "")).fields
    }
}
