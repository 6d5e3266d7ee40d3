import Text

/// What a reader of a report should know: that a value that the request names occurs nowhere in the app, so that the
/// figures say nothing about it, or that `value` leaves out what is in other currencies.
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
    /// A sentence for people.
    package var message: UsageMessage
}

extension ReportWarning {
    /// How many values are named at most.
    private static let shown = 3

    /// - Parameter names: the most frequent values of the same kind that do occur, the most frequent first.
    init(_ value: NamedValue, among names: [String]) {
        let nearest = Array(closestNames(to: value.text, among: names + value.others).prefix(Self.shown))
        let kind = value.kind
        let text = value.isPrefix ? "\(value.text)*" : value.text
        func quoted(_ names: some Sequence<String>) -> String {
            names.map { "'\($0)'" }.joined(separator: ", ")
        }
        let hint =
            if !nearest.isEmpty {
                "; did you mean \(quoted(nearest))?"
            } else if names.isEmpty {
                "; no event has a \(kind.rawValue)"
            } else {
                "; the most frequent are \(quoted(names.prefix(Self.shown)))"
            }
        self.init(
            parameter: value.parameter,
            value: text,
            nearest: nearest,
            message:
                "\(parameter: value.parameter): the \(kind.rawValue) '\(text)' occurs in no event of the app\(hint)"
        )
    }
}
