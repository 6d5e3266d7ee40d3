import ArgumentParser
import Reporting

/// A parameter as an option of a command.
struct CatalogueOption {
    enum Kind {
        case value
        /// It may be given several times.
        case values
    }

    /// A parameter in the words of one or several reports.
    private struct Wording {
        var text: String
        var entries: [String]
    }

    let parameter: ReportParameter
    /// The placeholder of its value; its name if reports name the value differently.
    private var placeholder: String
    /// Whether shells can offer values.
    private var isOffered: Bool
    private var wordings: [Wording]

    var name: String { parameter.name }

    var kind: Kind { parameter.repetition == .none ? .value : .values }

    /// What the name alone means; nil if it needs a value.
    var impliedValue: String? { parameter.isFlag ? "true" : parameter.impliedValue }

    /// An option of every report or export.
    private init(common parameter: ReportParameter) {
        self.parameter = parameter
        placeholder = parameter.isFlag ? "on|off" : parameter.valueName.lowercased()
        isOffered = !parameter.offered.isEmpty
        wordings = [Wording(text: CatalogueHelp.meaning(of: parameter), entries: [])]
    }

    static func common(_ parameters: [ReportParameter]) -> [CatalogueOption] { parameters.map(CatalogueOption.init) }

    /// The options of single reports or exports, each once.
    static func special(of entries: [ReportDescription]) -> [CatalogueOption] {
        var options: [CatalogueOption] = []
        for entry in entries {
            for parameter in entry.parameters {
                let text = CatalogueHelp.meaning(of: parameter)
                let wording = Wording(text: text, entries: [entry.name])
                guard let known = options.firstIndex(where: { $0.name == parameter.name }) else {
                    var option = CatalogueOption(common: parameter)
                    option.wordings = [wording]
                    options.append(option)
                    continue
                }
                if parameter.valueName != options[known].parameter.valueName {
                    options[known].placeholder = parameter.name
                }
                if !parameter.offered.isEmpty { options[known].isOffered = true }
                if let same = options[known].wordings.firstIndex(where: { $0.text == text }) {
                    options[known].wordings[same].entries.append(entry.name)
                } else {
                    options[known].wordings.append(wording)
                }
            }
        }
        return options
    }

    /// What the option means, and in which reports, if it differs between them.
    var help: ArgumentHelp {
        let lines = wordings.map { "\($0.entries.joined(separator: ", ")): \($0.text)" }
        if let purpose = ReportParameter.purpose(of: name), !lines.isEmpty {
            return ArgumentHelp("\(purpose)", discussion: lines.joined(separator: "\n"), valueName: placeholder)
        }
        let isCommon = wordings.allSatisfy(\.entries.isEmpty)
        let text = isCommon ? wordings.map(\.text).joined() : lines.joined(separator: " ")
        return ArgumentHelp("\(text)", valueName: placeholder)
    }

    var completion: CompletionKind? {
        if parameter.isFile { return .file() }
        if parameter.isFlag { return .list(["on", "off"]) }
        if wordings.count == 1, parameter.words != nil { return .list(parameter.allowed) }
        return isOffered ? ParameterValues.completion(of: name) : nil
    }
}

/// The options of every report.
enum CommonReportOptions: CatalogueOptionList {
    static let options = CatalogueOption.common(ReportParameter.common + ReportParameter.commandLine)
}

/// The options of single reports. Each report refuses those that it does not take.
enum SpecialReportOptions: CatalogueOptionList {
    static let options = CatalogueOption.special(of: ReportCatalogue.descriptions)
}

/// The options of every export.
enum CommonExportOptions: CatalogueOptionList {
    static let options = CatalogueOption.common(ReportParameter.exportCommon + ReportParameter.exportCommandLine)
}

/// The options of single exports. Each export refuses those that it does not take.
enum SpecialExportOptions: CatalogueOptionList {
    static let options = CatalogueOption.special(of: ExportCatalogue.descriptions)
}
