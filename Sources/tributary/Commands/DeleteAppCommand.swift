import ArgumentParser
import Foundation
import Storage

struct DeleteAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an app, its keys and every event of it. Cannot be undone."
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.")
    var id: String

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await database.withPool { pool in
            let store = AppStore(pool: pool)
            let app = try await store.app(id: id)
            if !yes {
                guard isatty(0) == 1 else {
                    throw CommandFailure(.usage, "nothing was deleted: say --yes where no one can be asked")
                }
                StandardError.write("Delete the app '\(id)' and all its events? Type its id to go on:")
                guard readLine() == id else { throw CommandFailure(.usage, "nothing was deleted") }
            }
            let events = try await store.delete(app)
            print("deleted \(id): \(events) events")
        }
    }
}
