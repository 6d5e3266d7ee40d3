import ArgumentParser
import Dashboard
import Ingest
import Reporting
import Settings

struct DictionaryCommand: ParsableCommand {
    enum Content: String, ExpressibleByArgument, CaseIterable {
        case columns
        case events
        case settings
        case access
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown
        case csv
    }

    static let configuration = CommandConfiguration(
        commandName: "dictionary",
        abstract: "Print every column of every output, every field of every event, every setting, or who may do what.",
        discussion: """
            docs/data-dictionary.md, docs/event-reference.md, docs/access-matrix.md and the table of \
            docs/configuration.md are the output of this command. The CSV can be loaded beside the data.
            """
    )

    @Argument(
        help: """
            columns: what comes out of reports and exports. events: what senders may put in. settings: of both \
            programs. access: who may do what.
            """
    )
    var content = Content.columns

    @Option(help: "The form of the output.")
    var format = Format.markdown

    func run() throws {
        let text =
            switch (content, format) {
            case (.access, .markdown): AccessTable.page([.http, .dashboard])
            case (.access, .csv): throw CommandFailure(.usage, "who may do what is written as markdown only")
            case (.columns, .markdown): DataDictionary.markdown
            case (.columns, .csv): DataDictionary.csv
            case (.events, .markdown): EventReference.markdown
            case (.events, .csv): EventReference.csv
            case (.settings, .markdown): Setting.markdown
            case (.settings, .csv):
                ([Setting.header] + Setting.rows).map { row in
                    row.map { CSVWriter.field($0) }.joined(separator: ",") + "\r\n"
                }
                .joined()
            }
        print(text, terminator: "")
    }
}
