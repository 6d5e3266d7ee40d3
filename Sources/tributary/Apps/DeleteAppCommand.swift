import ArgumentParser
import Storage

struct DeleteAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an app, its keys and all its data. This cannot be undone.",
        discussion: """
            The app's keys are revoked first: every daemon refuses them within a second. Then the app's rows are \
            deleted in pieces, while other apps go on working. If the deletion is interrupted, run it again and it \
            continues. Events that wait for the app in a spool on another machine are dropped on delivery. The command \
            prints a receipt, which the database keeps.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.", completion: AppIDs.completion)
    var id: String

    @Option(help: "The form of the output.")
    var format: RecordFormat = .text

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let receipt = try await database.withPool { pool in
            let spools = try await database.spools(of: pool)
            let store = AppStore(pool: pool)
            let app = try await store.app(id: id, orBeingDeleted: true)
            try Confirmation.ask("Delete the app '\(id)' and all its events permanently?", answer: id, yes: yes)
            return try await DeletionProgressLine.with { try await store.delete(app, spools: spools, progress: $0) }
        }
        receipt.record.print(as: format)
    }
}
