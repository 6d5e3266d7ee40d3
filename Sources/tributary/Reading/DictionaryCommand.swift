import ArgumentParser
import Reporting
import Settings

struct DictionaryCommand: ParsableCommand {
    enum Content: String, ExpressibleByArgument, CaseIterable {
        case columns
        case events
        case settings
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown
        case csv
    }

    static let configuration = CommandConfiguration(
        commandName: "dictionary",
        abstract: "Print every column of every output, every field of every event, or every setting.",
        discussion: """
            docs/data-dictionary.md, docs/event-reference.md and the table of docs/configuration.md are the output of this \
            command. The CSV can be loaded beside the data.
            """
    )

    @Argument(
        help: """
            columns: what comes out of reports and exports. events: what senders may put in. settings: of both \
            programs.
            """
    )
    var content = Content.columns

    @Option(help: "The form of the output.")
    var format = Format.markdown

    func run() {
        let text =
            switch (content, format) {
            case (.columns, .markdown): DataDictionary.markdown
            case (.columns, .csv): DataDictionary.csv
            case (.events, .markdown): EventReference.markdown
            case (.events, .csv): EventReference.csv
            case (.settings, .markdown): Setting.markdown
            case (.settings, .csv):
                ([Setting.header] + Setting.rows).map { row in
                    row.map(CSVWriter.text(ofField:)).joined(separator: ",") + "\r\n"
                }
                .joined()
            }
        print(text, terminator: "")
    }
}
