import JSONReading
import Reporting
import Text

/// The parameters of reports as an assistant sees them: names as over HTTP, without those that name people. What an
/// assistant reads goes to the maker of its model, and ids of people should not. So it sees what a viewer sees.
enum AssistantParameters {
    private static let withheld = ["format": "answers are always JSON", "dialect": "is for CSV, and answers are JSON"]
    /// Why an assistant gets no report whose rows are people.
    static let peopleReason =
        "lists of people, posters and whom one person brought are not given to assistants; a person can run the report "
        + "on the command line"

    /// A parameter in one sentence.
    struct Offer {
        let name: String
        let text: String
        private let isFlag: Bool
        private let takesSeveral: Bool

        fileprivate init(_ parameter: ReportParameter) {
            name = parameter.name
            isFlag = parameter.isFlag
            takesSeveral = parameter.repetition != .none || parameter.isList
            var text = parameter.summary
            let values = parameter.allowed.filter { !ReportResult.peopleColumns.contains($0) }
            if !values.isEmpty { text += " Values: \(values.joined(separator: ", "))." }
            if let value = parameter.defaultValue { text += " Default: \(value)." }
            // Some summaries list the keys.
            for name in ReportResult.peopleColumns {
                text = text.replacing(", \(name),", with: ",").replacing(", \(name).", with: ".")
            }
            self.text = text.replacing("--", with: "")
        }

        /// Without a type, some clients leave out the whole tool.
        func writeType(to json: inout JSONWriter) {
            guard takesSeveral else { return json.member("type", isFlag ? "boolean" : "string") }
            json.key("anyOf")
            json.array { json in
                json.object { json in json.member("type", "string") }
                json.object { json in
                    json.member("type", "array")
                    json.key("items")
                    json.object { json in json.member("type", "string") }
                }
            }
        }
    }

    /// The parameters that every report has, and `by` and `where`, which most have.
    static let common: [Offer] = offers(
        of: ReportParameter.common
            + ["by", "where"].compactMap { name in
                ReportCatalogue.descriptions.lazy.flatMap(\.parameters).first { $0.name == name }
            }.map { parameter in
                var parameter = parameter
                parameter.summary = ReportParameter.purpose(of: parameter.name) ?? parameter.summary
                (parameter.allowed, parameter.defaultValue) = ([], nil)
                return parameter
            }
    )

    /// Those whose values all hold, if there are several.
    static let repeated = Set(
        (ReportCatalogue.descriptions.flatMap(\.parameters) + ReportParameter.common)
            .filter { $0.repetition == .all }.map(\.name)
    )

    static func offers(of parameters: [ReportParameter]) -> [Offer] {
        parameters.filter { reason(withholding: $0.name) == nil }.map(Offer.init)
    }

    /// Why an assistant cannot give a parameter; nil if it can, or if no report has it.
    static func reason(withholding name: String) -> String? {
        ReportParameter.namesForPeople.contains(name) || SavedQuestion.listsPeople([(name: name, value: "")])
            ? peopleReason : withheld[name]
    }

    /// - Throws: `ToolFailure` for a parameter that the report does not have or that is withheld, and for values that
    ///   ask for people.
    static func check(_ parameters: [(name: String, value: String)], of report: String) throws(ToolFailure) {
        let names = parameters.map(\.name)
        let own = ReportCatalogue.descriptions.first { $0.name == report }?.parameters ?? []
        let offered = offers(of: own + ReportParameter.common).map(\.name)
        for name in names where !offered.contains(name) {
            if let reason = reason(withholding: name) { throw ToolFailure("\(name): \(reason)") }
            let hint = closestName(to: name, among: offered).map { "; did you mean '\($0)'?" } ?? ""
            throw ToolFailure(
                "\(report) has no parameter '\(name)'\(hint) (one of: \(offered.joined(separator: ", ")))"
            )
        }
        guard !SavedQuestion.listsPeople(parameters) else { throw ToolFailure("\(report): \(peopleReason)") }
    }
}
