import ArgumentParser
import Reporting

struct DictionaryCommand: ParsableCommand {
    enum Content: String, ExpressibleByArgument, CaseIterable {
        case columns
        case events
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown
        case csv
    }

    static let configuration = CommandConfiguration(
        commandName: "dictionary",
        abstract: "Print the data dictionary: every column of every output, or every field of every event.",
        discussion: """
            docs/data-dictionary.md and docs/event-reference.md are the output of this command. The CSV can be loaded \
            beside the data.
            """
    )

    @Argument(help: "columns: what comes out of reports and exports. events: what senders may put in.")
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
            }
        print(text, terminator: "")
    }
}
