import ArgumentParser
import Storage

struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "List deletions, the newest first: of people, of apps, and of old data.",
        discussion:
            "A receipt says when and how much was deleted, never whose data. The database keeps it for ever."
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "Only deletions in this app, even if the app was deleted.", completion: AppIDs.completion)
    var app: String?

    @Option(help: "The maximum number of receipts.")
    var limit = 20

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try (1...1_000_000).check(limit, of: "--limit")
        let receipts = try await database.withPool(readsOnly: true) {
            try await DeletionReceiptStore(pool: $0).list(appID: app, limit: limit)
        }
        Record.print(receipts.map(\.record), as: format.form)
    }
}
