import ArgumentParser
import Reporting

struct DictionaryCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown
        case csv
    }

    static let configuration = CommandConfiguration(
        commandName: "dictionary",
        abstract: "Print the data dictionary: each column of each output, its type, unit and meaning.",
        discussion: "docs/data-dictionary.md is the output of this command. The CSV can be loaded beside the data."
    )

    @Option(help: "markdown or csv.")
    var format = Format.markdown

    func run() {
        switch format {
        case .markdown: print(DataDictionary.markdown, terminator: "")
        case .csv: print(DataDictionary.csv, terminator: "")
        }
    }
}
