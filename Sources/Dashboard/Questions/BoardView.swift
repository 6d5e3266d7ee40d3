import Reporting
import Storage

/// The questions of a board with their pictures and first rows, for the template `board`.
struct BoardView {
    /// How many rows of a question are shown.
    private static let shownRows = 10
    /// How many periods of a question are shown: a month by day.
    private static let shownPeriods = 31
    /// As many as fit beside each other, as in a mail.
    private static let shownColumns = 8

    /// The page that changes it.
    var change: String?
    /// The page that asks whether to delete it.
    var deletion: String
    var panels: [Panel]
    /// These two and the pages above are only for somebody who may change questions.
    var sending: SendingView?
    var sharing: SharingView?
    var isNew: Bool

    /// - Parameter request: its days are those of all questions.
    init(_ board: SavedQuestion, _ request: ViewRequest, isNew: Bool) async throws(DashboardFailure) {
        self.isNew = isNew
        deletion = Dashboard.questionDeletionPath + "?" + FormFields.encode([("name", board.name)])
        if Caller.may(.analyst) {
            change = BoardForm.path + "?" + FormFields.encode([("board", board.name)])
            sending = try await SendingView(board, request)
            sharing = try await SharingView(board, request)
        }
        panels = try await Self.panels(of: board, in: request.span.parameters, request)
    }

    /// - Parameter range: of all questions; nil: the board's own.
    static func panels(
        of board: SavedQuestion,
        in range: [(name: String, value: String)]?,
        _ request: ViewRequest
    ) async throws(DashboardFailure) -> [Panel] {
        let parts = board.parts(among: try await request.stores.questions(of: request.app), in: range)
        var panels: [Panel] = []
        do throws(DashboardFailure) {
            try await request.readTogether(
                parts.compactMap(\.question).map { ReportAddress(report: $0.report, parameters: $0.parameters) }
            )
        } catch .timedOut {
            // Then each is asked for by itself, so that a slow one does not take the others with it.
        }
        for part in parts {
            var panel = Panel(anchor: "question-\(part.name)", heading: part.name)
            if let question = part.question {
                panel.more = .init(words: "", link: "The question's page", href: question.page)
                do throws(DashboardFailure) {
                    panel.tables = [try await table(of: question, request)]
                } catch .invalid(let reason), .forbidden(let reason) {
                    panel.emptiness = reason
                } catch .timedOut {
                    panel.emptiness = "\(DashboardFailure.timedOut)"
                }
            } else {
                panel.emptiness = "The question was deleted. It can be restored for 30 days."
            }
            panels.append(panel)
        }
        return panels
    }

    /// The total of each period; of a question without periods the first rows, and the total.
    private static func table(of question: SavedQuestion, _ request: ViewRequest)
        async throws(DashboardFailure) -> TableView
    {
        let figures = try await request.rows(question.report, question.parameters)
        let totals = figures.rows.filter { $0.cells.contains(.text("total")) }
        let hasPeriods = figures.columns.contains { $0.name == "complete" }
        let count = figures.rows.count
        var rows = figures.rows
        if hasPeriods, totals.count > 1 {
            rows = Array(totals.suffix(shownPeriods))
        } else if count > shownRows {
            let endsWithTotal = totals.count == 1 && rows.last?.cells.contains(.text("total")) == true
            let end = endsWithTotal ? 1 : 0
            rows = Array(rows.prefix(shownRows - end)) + rows.suffix(end)
        }
        let columns = figures.columns.mostTelling(shownColumns, drawn: figures.drawn).map { figures.columns[$0].name }
        var first = ReportRows(columns: figures.columns, rows: rows.map(\.cells))
            .limited(to: columns + (hasPeriods ? ["complete"] : []))
        first.drawn = figures.drawn
        var table = TableView(first, of: question)
        let columnCount = figures.columns.count - (hasPeriods ? 1 : 0)
        let cuts =
            (rows.count < count ? ["\(rows.count) of \(count) rows"] : [])
            + (columns.count < columnCount ? ["\(columns.count) of \(columnCount) columns"] : [])
        if !cuts.isEmpty {
            table.rest = cuts.joined(separator: ", ") + (table.csv == nil ? "." : "; the CSV has all.")
        }
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

/// The form that makes a board or changes it, for the template `board-form`.
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
    /// Whether the form changes the board of this name.
    var isChange: Bool
    var places: [Place]
    var days: [Choice]
    var rule = QuestionName.rule
    var problem: String?
    /// Only for a change.
    var key: WriteKeyField?

    init(_ state: FormState, _ request: ViewRequest) async throws(DashboardFailure) {
        let form = state.fields.redacted
        name = form["name"] ?? ""
        isChange = Self.isChange(form)
        key = isChange ? state.key : nil
        let names = try await request.stores.questions(of: request.app).filter { !$0.isBoard }.map(\.name)
        // A question that was deleted keeps its place.
        let chosen = (1...SavedQuestion.memberLimit).last { form["question\($0)"] != nil } ?? 1
        places = (1...max(chosen, min(names.count, SavedQuestion.memberLimit))).map { number in
            let field = "question\(number)"
            return Place(
                field: field,
                number: number,
                questions: Choice.names(names, chosen: form[field], first: "(none)")
            )
        }
        let range = form["days"] ?? ""
        // The command line takes any range.
        let others = Self.ranges.contains { $0.value == range } ? [] : [(value: range, title: range)]
        days = Choice.list((Self.ranges + others).map { ($0.value, $0.title) }, chosen: range)
        problem = state.problem
    }

    static func isChange(_ form: FormFields) -> Bool { form["replace"] != nil }

    /// The form as a board fills it.
    static func fields(of board: SavedQuestion) throws(DashboardFailure) -> FormFields {
        let questions = board.members.enumerated().map { (name: "question\($0.offset + 1)", value: $0.element) }
        let days = FormFields.encode(board.range)
        return try FormFields(FormFields.encode(questions + [("name", board.name), ("replace", "1"), ("days", days)]))
    }

    /// What a form says: the questions in their order, then the range.
    static func parameters(_ form: FormFields) throws(DashboardFailure) -> [(name: String, value: String)] {
        (1...SavedQuestion.memberLimit).compactMap { form["question\($0)"] }.map { (SavedQuestion.memberField, $0) }
            + (try FormFields(form["days"] ?? "")).fields
    }
}
