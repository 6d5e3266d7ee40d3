import ArgumentParser
import Storage

struct DeleteAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an app, its keys and everything of it. Cannot be undone.",
        discussion: """
            Its keys are revoked first: every daemon refuses them within a second. Then its rows go piece by piece, while \
            other apps go on. Broken off, it goes on when it is run again. What still waits for it in a spool elsewhere is \
            dropped when it is delivered. Prints a receipt, which the database keeps.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.")
    var id: String

    @Option(help: "text or json.")
    var format: RecordFormat = .text

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        let receipt = try await database.withPool { pool in
            let spools = try await database.spools(of: pool)
            let store = AppStore(pool: pool)
            let app = try await store.app(id: id, orBeingDeleted: true)
            try Confirmation.ask("Delete the app '\(id)' with all its events for good?", answer: id, yes: yes)
            return try await DeletionProgressLine.with { try await store.delete(app, spools: spools, progress: $0) }
        }
        receipt.record.print(as: format)
    }
}
