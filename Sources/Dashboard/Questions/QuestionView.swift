import Reporting
import Time

/// The answer to one saved question, for the template `question`.
struct QuestionView {
    var name: String
    var report: String
    var parameters: String
    /// The same on the command line.
    var command: String
    /// The address for programs: the answer of the day, by whatever the question is.
    var address: String
    /// The view with a chart of the report; nil if it has not all of the question's parameters.
    var view: String?
    var viewTitle: String
    var table: TableView
    /// These two are only for somebody who may change questions.
    var sending: SendingView?
    var sharing: SharingView?
    var isNew: Bool

    init(_ question: SavedQuestion, _ request: ViewRequest, isNew: Bool) async throws(DashboardFailure) {
        let figures = try await request.rows(question.report, question.parameters)
        name = question.name
        report = question.report
        parameters = FormFields.words(question.parameters)
        command = question.command(in: request.app)
        address = question.path(.csv)
        let place = QuestionPlace(question, today: request.today)
        view = place?.href
        viewTitle = place?.view.title ?? ""
        table = TableView(figures, of: question)
        if Caller.may(.analyst) {
            sending = try await SendingView(question, request)
            sharing = try await SharingView(question, request)
        }
        self.isNew = isNew
    }
}

/// The view that shows the report of a question with its parameters.
struct QuestionPlace {
    var view: View
    var href: String

    /// Parameters that a view gives to its report by itself.
    private static let implied = ["attribution": ["model"], "channels": ["by"], "refs": ["by"]]

    /// - Parameter today: the date in the app's time zone.
    /// - Returns: nil if no view has all of the parameters.
    init?(_ question: SavedQuestion, today: String) {
        let views = View.allCases.filter { $0.reports.contains(question.report) }
        guard let view = views.first(where: { $0.reports.first == question.report }) ?? views.first else { return nil }
        var fields: [(name: String, value: String)] = []
        for (name, value) in question.parameters {
            switch name {
            case "from":
                guard let day = Self.day(value, today: today, isEnd: false) else { return nil }
                fields.append(("from", day))
            case "to":
                guard let day = Self.day(value, today: today, isEnd: true) else { return nil }
                fields.append(("through", day))
            case _ where Filters.names.contains(name): fields.append((name, value))
            case _ where view.fields.contains(name): fields.append((name, value))
            case _ where Self.implied[question.report]?.contains(name) ?? false: break
            default: return nil
            }
        }
        // These views begin with weeks.
        if view.usualWeeks != nil, !fields.contains(where: { $0.name == "period" }) {
            fields.append(("period", "day"))
        }
        self.view = view
        href = view.path + "?" + FormFields.encode(fields)
    }

    /// The fields of a view for a range of whole days.
    static func days(_ range: [(name: String, value: String)], today: String) -> [(name: String, value: String)] {
        range.compactMap { name, value in
            let isEnd = name == "to"
            return day(value, today: today, isEnd: isEnd).map { (isEnd ? "through" : "from", $0) }
        }
    }

    /// The day of a view for an end of a report's range; nil if it has none.
    private static func day(_ text: String, today: String, isEnd: Bool) -> String? {
        if isEnd, text == "now" { return today }
        // A view has whole days, so no time such as 7d, which is 7 times 24 hours ago.
        guard let day = CivilDate(today).flatMap({ ReportInstant.day(text, seenFrom: $0) }) ?? CivilDate(text) else {
            return nil
        }
        return isEnd ? DateSpan.day(day.description, plus: -1) : day.description
    }
}
