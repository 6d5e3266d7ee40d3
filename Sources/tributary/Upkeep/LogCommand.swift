import ArgumentParser
import InboundLinks
import Reporting
import Storage

struct LogCommand: AsyncParsableCommand {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, csv
    }

    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List who changed what, the newest first.",
        discussion: """
            Each change of an app, its keys, links, questions, schedules, notes, costs, webhooks, rules and users is \
            kept for 400 days, without secrets (docs/changes.md).

              tributary log --app shop
              tributary log --limit 10000 --format csv > changes.csv
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Only changes of this app (default: all changes).", completion: AppIDs.completion)
    var app: String?

    @Option(help: "The maximum number of changes.")
    var limit = 50

    @Option(help: "The form of the output.")
    var format = Form.text

    func run() async throws {
        guard (1...1_000_000).contains(limit) else {
            throw CommandFailure(.usage, "--limit takes a number from 1 to 1000000, not \(limit)")
        }
        let changes = try await database.withPool(readsOnly: true) { pool in
            var selected: App?
            if let app { selected = try await AppStore(pool: pool).app(id: app) }
            return try await ChangeLog(pool: pool).changes(of: selected, limit: limit)
        }
        switch format {
        case .csv: try StandardOutput.write(Change.csv(changes) { CSVWriter.field($0) })
        case .text, .json:
            Record.print(
                changes,
                as: format == .json ? .json : .text,
                row: { change in change.fields.dropFirst().map { $0.value ?? "" } },
                record: { change in Record(change.fields.map { ($0.name, .optional($0.value)) }) }
            )
            if changes.isEmpty { StandardError.write("nothing was changed within 400 days") }
        }
    }
}
