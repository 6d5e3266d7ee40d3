import InboundLinks
import Reporting
import Storage

/// A question that somebody is about to save: the report of a table, with its parameters, for the template
/// `question-form`.
struct QuestionDraft {
    var report: String
    var parameters: String
    /// The report and its parameters as the form sends them back.
    var query: String
    var name: String
    /// The days as they are, or the last days at any time; empty if the range does not end today.
    var days: [Choice]
    var problem: String?
    var rule = QuestionName.rule
    /// Whether a question of this name is there, so that it may be replaced.
    var isTaken: Bool
    /// Only for replacing it.
    var key: WriteKeyField

    /// - Parameters:
    ///   - fields: `report` and the parameters of the report.
    ///   - today: the date in the app's time zone.
    init(
        _ fields: FormFields,
        _ form: FormState = FormState(),
        isTaken: Bool = false,
        today: String
    ) {
        let fields = fields.redacted
        let own = fields.fields.filter { $0.name != "report" }
        report = fields["report"] ?? ""
        parameters = FormFields.words(own)
        query = FormFields.encode(fields.fields)
        name = Redaction.redact(form["name"] ?? "")
        problem = form.problem
        self.isTaken = isTaken
        key = form.key.hasProblem ? form.key : WriteKeyField(isRequired: false)
        days = []
        if let count = Self.lastDays(own, today: today), let from = fields["from"] {
            days = [
                Choice(value: "last", title: "always the last \(count) days", isChosen: true),
                Choice(value: "these", title: "\(from) to \(today)", isChosen: false),
            ]
        }
    }

    /// How many days a range up to today has; nil if it does not end with today.
    private static func lastDays(_ parameters: [(name: String, value: String)], today: String) -> Int? {
        guard let from = parameters.first(where: { $0.name == "from" })?.value,
            parameters.contains(where: { $0 == ("to", DateSpan.day(today, plus: 1)) || $0 == ("to", "now") })
        else { return nil }
        return (1...4000).first { DateSpan.day(from, plus: $0 - 1) == today }
    }

    /// The parameters to store.
    ///
    /// - Parameter isMoving: whether the range moves with the day of the answer.
    static func parameters(_ fields: FormFields, isMoving: Bool, today: String) -> [(name: String, value: String)] {
        let own = fields.fields.filter { $0.name != "report" }
        guard isMoving, let count = lastDays(own, today: today) else { return own }
        return [("from", "\(count)days")] + own.filter { $0.name != "from" && $0.name != "to" }
    }
}
