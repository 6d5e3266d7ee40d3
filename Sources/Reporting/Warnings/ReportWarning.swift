import Text

/// What a reader of a report should know: that a value that the request names occurs nowhere in the app, so that the
/// figures say nothing about it, that `value` leaves out what is in other currencies, that there is nothing to compare
/// with, or that a comparison has no verdict.
package struct ReportWarning: Equatable, Sendable {
    /// A sum in one currency.
    struct Sum: Equatable, Sendable {
        var currency: String
        var amount: ReportCell
    }

    /// The parameter that names the value; nil if the warning is about no parameter.
    package var parameter: String?
    package var value: String?
    /// Values that do occur and are spelled alike, the closest first.
    package var nearest: [String] = []
    /// What is in other currencies.
    var sums: [Sum] = []
    package var isOfCurrencies: Bool { !sums.isEmpty }
    /// A sentence for people.
    package var message: UsageMessage
    /// The sentence without values that do occur; nil if it names none.
    var plainMessage: UsageMessage?
    /// Whether the values are ids of people.
    package var isOfPeople = false

    /// For those who may not see the values that do occur.
    package var withoutNames: ReportWarning {
        guard let plainMessage else { return self }
        var warning = self
        (warning.nearest, warning.message) = ([], plainMessage)
        return warning
    }
}

extension ReportWarning {
    /// How many values are named at most.
    private static let shown = 3

    /// - Parameters:
    ///   - names: the most frequent values of the same kind that do occur, the most frequent first.
    ///   - hasOthers: whether further values occur, which have no rows of their own.
    init(_ value: NamedValue, among names: [String], hasOthers: Bool = false) {
        let text = value.isPrefix ? "\(value.text)*" : value.text
        let problem =
            hasOthers
            ? "has no row of its own: it occurs in no event of the app, or is among '\(ReportNames.others)'"
            : "occurs in no event of the app"
        self.init(
            parameter: value.parameter,
            value: text,
            nearest: Array(closestNames(to: value.text, among: names + value.others).prefix(Self.shown)),
            message: "\(parameter: value.parameter): the \(value.kind.name) '\(text)' \(problem)"
        )
        (plainMessage, isOfPeople) = (message, value.kind.isOfPeople)
        if !nearest.isEmpty {
            suggest(nearest)
        } else if names.isEmpty {
            message = "\(message); no event has a \(value.kind.name)"
        } else {
            message = "\(message); the most frequent are \(Self.quoted(names.prefix(Self.shown)))"
        }
    }

    /// Nil if the request compares with nothing, or with a range that is like its own.
    init?(of request: ReportRequest) {
        guard let previous = request.previous,
            let reason = request.incomparability(of: previous) ?? request.report.caveatOfComparison
        else { return nil }
        guard !type(of: request.report).needsPrevious else {
            self.init(message: "\(reason)")
            return
        }
        let parameter = ReportParameter.comparePrevious.name
        self.init(parameter: parameter, message: "\(parameter: parameter): \(reason)")
    }

    /// Why a comparison has no verdict; nil without sides.
    ///
    /// - Parameter sides: those of which too many have a window that is not over, with their names in quotation marks.
    init?(stillOpen sides: [(name: String, open: Int64, people: Int64)]) {
        guard !sides.isEmpty else { return nil }
        let told = sides.prefix(Self.shown).map { "\($0.open) of \($0.people) of \($0.name)" }
        let others = sides.count > told.count ? [String(sides.count - told.count) + " others"] : []
        let parameter = ReportParameter.maturedUnlessOff.name
        self.init(
            parameter: parameter,
            message:
                "\(parameter: parameter, value: "off"): no verdict while the window of more than a tenth of a side is not over: \((told + others).joined(separator: ", "))"
        )
    }

    /// - Parameter names: those that there are.
    init(unknownGroup name: String, among names: [String]) {
        let parameter = ReportParameter.peopleGroup.name
        self.init(
            parameter: parameter,
            value: name,
            nearest: Array(closestNames(to: name, among: names).prefix(Self.shown)),
            message: "\(parameter: parameter): the report has no row '\(name)'"
        )
        if !nearest.isEmpty { suggest(nearest) }
    }

    private mutating func suggest(_ names: [String]) {
        message = "\(message); did you mean \(Self.quoted(names))?"
    }

    private static func quoted(_ names: some Sequence<String>) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
