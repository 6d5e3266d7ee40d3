import Reporting

/// The help of one report or export: `tributary report funnel --help`.
struct CatalogueHelp {
    /// A terminal has at least so many columns.
    private static let width = 80
    /// Where meanings begin.
    private static let indentation = 26

    /// The names of reports or exports and what they are, for the help of all.
    static func list(_ entries: [ReportDescription]) -> String {
        entries.map { row($0.name, plain($0.summary), indentedBy: 15) }.joined(separator: "\n")
    }

    /// `report` or `export`.
    private let command: String
    private let entry: ReportDescription
    private let common: [ReportParameter]
    private let page: String

    /// Nil if the arguments do not ask for the help of one report or export.
    init?(for arguments: [String]) {
        var words = arguments[...]
        let asksFirst = words.first == "help"
        if asksFirst { words.removeFirst() }
        guard let command = words.popFirst() else { return nil }
        let entries: [ReportDescription]
        switch command {
        case "report":
            entries = ReportCatalogue.descriptions
            common = ReportParameter.common + ReportParameter.commandLine
            page = "docs/reports.md"
        case "export":
            entries = ExportCatalogue.descriptions
            common = ReportParameter.exportCommon + ReportParameter.exportCommandLine
            page = "docs/exports.md"
        default: return nil
        }
        guard asksFirst || words.contains("--help") || words.contains("-h") else { return nil }
        let named = words.lazy.compactMap { word in entries.first { $0.name == word } }.first
        guard let named else { return nil }
        self.command = command
        entry = named
    }

    var text: String {
        let call = "tributary \(command) \(entry.name)"
        var text = Self.wrapped("OVERVIEW: \(Self.plain(entry.summary))", indentedBy: 0) + "\n"
        text += "\nUSAGE: \(call) [--app ID] [options]\n"
        text += section("PARAMETERS OF \(entry.name)", entry.parameters.map(Self.option))
        text += section("PARAMETERS OF EVERY \(command)", shared + common.map(Self.option))
        text += section("COLUMNS", entry.columns.map(Self.column))
        text += "\nEXAMPLES:\n"
        // Examples are never wrapped, so that they can be copied.
        text += entry.examples.map { "  \(call) --app demo \($0)\n" }.joined()
        text += "\n\(page) says more. 'tributary \(command) --help' lists the others.\n"
        return text
    }

    private var shared: [(label: String, meaning: String)] {
        [
            ("--app ID", AppOption.meaning), ("--database URL", DatabaseOptions.urlMeaning),
            ("--config FILE", DatabaseOptions.fileMeaning),
        ]
    }

    private func section(_ title: String, _ rows: [(label: String, meaning: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        return "\n\(title.uppercased()):\n" + rows.map { Self.row($0.label, $0.meaning) + "\n" }.joined()
    }

    private static func option(_ parameter: ReportParameter) -> (label: String, meaning: String) {
        ("--\(parameter.name)" + (parameter.isFlag ? "" : " \(parameter.valueName)"), meaning(of: parameter))
    }

    /// The summary of a parameter with its values and its default.
    static func meaning(of parameter: ReportParameter) -> String {
        var notes: [String] = []
        if !parameter.allowed.isEmpty { notes.append("values: \(parameter.allowed.joined(separator: ", "))") }
        if let value = parameter.defaultValue { notes.append("default: \(value)") }
        return parameter.summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    private static func column(_ column: ReportColumn) -> (label: String, meaning: String) {
        (column.name, plain(column.meaning + (column.condition.map { " Only \($0)." } ?? "")))
    }

    private static func row(
        _ label: String,
        _ meaning: String,
        indentedBy indentation: Int = indentation
    ) -> String {
        let lines = wrapped(meaning, indentedBy: indentation)
        let head = "  " + label
        guard head.count < indentation else { return "\(head)\n\(lines)" }
        return head + lines.dropFirst(head.count)
    }

    /// Without the marks of Markdown.
    private static func plain(_ text: String) -> String {
        text.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.replacing(/[`*]/, with: "")
    }

    /// Breaks a text between words.
    private static func wrapped(_ text: String, indentedBy indentation: Int) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, indentation + last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { String(repeating: " ", count: indentation) + $0 }.joined(separator: "\n")
    }
}
