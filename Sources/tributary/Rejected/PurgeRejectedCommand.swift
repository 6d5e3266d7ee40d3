import ArgumentParser
import Time
import Reporting
import Storage

struct PurgeRejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete rejected events permanently; by default those older than 30 days.",
        discussion: """
            Name the app with --app, or delete the events of every app with --all.

              tributary rejected purge --app shop
              tributary rejected purge --all --code invalid_json --older-than 0s
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Only events received longer ago than this: 0s, 36h, 30d.")
    var olderThan = "30d"

    @Option(help: "The app whose events are deleted.", completion: AppIDs.completion)
    var app: String?

    @Flag(help: "Delete the events of every app.")
    var all = false

    @Option(
        help: ArgumentHelp("Only events with this code; may be repeated.", valueName: "code"),
        completion: RejectedOptions.codes
    )
    var code: [String] = []

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        guard (app != nil) != all else {
            throw CommandFailure(.usage, "name the app with --app, or delete the events of every app with --all")
        }
        let age = try Duration.option("--older-than", olderThan, suchAs: "36h or 30d")
        let selection = try RejectedOptions(app: app, code: code)
        let count = try await database.withPool { pool in
            let store = RejectedEventStore(pool: pool)
            var filter = try await selection.filter(pool)
            filter.to = Timestamp.now.advanced(by: .zero - age)
            if !yes {
                let count = try await store.count(filter)
                try Confirmation.ask("Delete \(count) rejected events permanently?", answer: "yes", yes: false)
            }
            return try await store.delete(filter)
        }
        print("purged: \(count)")
    }
}
