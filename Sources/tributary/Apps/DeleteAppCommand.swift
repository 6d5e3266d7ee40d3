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

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let receipt = try await app.database.withPool { pool in
            let spools = try await app.database.spools(of: pool)
            let store = AppStore(pool: pool)
            let found = try await store.app(id: app.id, orBeingDeleted: true)
            let question = "Delete the app '\(app.id)' and all its events permanently?"
            try Confirmation.ask(question, answer: app.id, yes: yes)
            return try await DeletionProgressLine.with { try await store.delete(found, spools: spools, progress: $0) }
        }
        receipt.record.print(as: format.form)
    }
}
