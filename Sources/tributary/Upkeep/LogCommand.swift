import ArgumentParser
import JSONReading
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
        try (1...1_000_000).check(limit, of: "--limit")
        let changes = try await database.withPool(readsOnly: true) { pool in
            var selected: App?
            if let app { selected = try await AppStore(pool: pool).app(id: app) }
            return try await ChangeLog(pool: pool).changes(of: selected, limit: limit)
        }
        switch format {
        case .csv: try StandardOutput.write(Change.csv(changes) { CSVWriter.field($0) })
        case .json: StandardOutput.print("[" + changes.map(\.json).joined(separator: ",\n ") + "]")
        case .text: TextTable(rows: changes.map { $0.fields.dropFirst().map { $0.value ?? "" } }).print()
        }
        if changes.isEmpty, format != .csv { StandardError.write("nothing was changed within 400 days") }
    }
}

extension Change {
    /// The fields whose values are JSON already.
    private static let jsonFields: Set = ["number", "before", "after"]

    fileprivate var json: String {
        let members = fields.map { name, value in
            let text = value.map { Self.jsonFields.contains(name) ? $0 : JSONWriter.quoted($0) } ?? "null"
            return "\n  \(JSONWriter.quoted(name)): \(text)"
        }
        return "{" + members.joined(separator: ",") + "\n}"
    }
}
