import ArgumentParser
import InboundLinks
import Reporting
import Storage

struct AddKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-key",
        abstract: "Create another key for an app, and print it once.",
        discussion: """
            The other keys of the app go on working.

              tributary app add-key shop --scope read --expires 90d --label dashboard
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.", completion: AppIDs.completion)
    var id: String

    @Option(help: "What the key is for: to send events (write) or to read reports (read).")
    var scope: AppKey.Scope = .write

    @Option(help: "A note that says where the key is used.")
    var label = ""

    @Option(help: "How long the key is valid: 36h, 90d (default: until it is revoked).")
    var expires: String?

    @Option(help: "The form of the output.")
    var format: RecordFormat = .text

    func run() async throws {
        let lifetime = try expires.map { text in
            guard let lifetime = Duration(text: text), lifetime > .zero else {
                throw CommandFailure(.usage, "--expires takes a duration such as 36h or 90d, not '\(text)'")
            }
            return lifetime
        }
        let key = try await database.withPool { pool in
            let store = AppStore(pool: pool)
            return try await store.addKey(of: store.app(id: id), scope: scope, label: label, lifetime: lifetime)
        }
        Record([("app_id", .string(id)), ("\(scope.rawValue)_key", .string(key))]).print(as: format)
    }
}
