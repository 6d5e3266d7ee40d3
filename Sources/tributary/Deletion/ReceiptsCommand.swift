import ArgumentParser
import Storage

struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "List what was deleted, the newest first: people, apps, and what had become too old.",
        discussion: "Receipts say when and how much, never of whom. The database keeps them for ever."
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Only of this app; of a deleted one, too.")
    var app: String?

    @Option(help: "How many.")
    var limit = 20

    @Option(help: "text or json.")
    var format: RecordFormat = .text

    func run() async throws {
        guard (1...1_000_000).contains(limit) else { throw CommandFailure(.usage, "--limit takes a number from 1 on") }
        let receipts = try await database.withPool {
            try await DeletionReceiptStore(pool: $0).list(appID: app, limit: limit)
        }
        Record.print(receipts.map(\.record), as: format)
    }
}
