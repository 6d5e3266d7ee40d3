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
              tributary app add-key shop --scope app --label 'iOS 4.2'
              tributary app add-key shop --scope app --origin https://shop.example

            A manage key does over HTTP what a manager does: it reads everything, and changes links and costs.

            A key of the scope app may stand in an app or a web page. It can only send links, installs, opens, posts \
            and refused logins of a device, and ask for the link that led to an install. A web page may use it only \
            if --origin names its origin.
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: AppKey.Scope.meaning)
    var scope: AppKey.Scope = .write

    @Option(
        help: ArgumentHelp(
            """
            A page's scheme and host, as browsers send them, that may use a key for apps: https://shop.example, or \
            capacitor://localhost for an app in a web view. May be repeated.
            """,
            valueName: "origin"
        )
    )
    var origin: [String] = []

    @Option(help: "A note that says where the key is used.")
    var label = ""

    @Option(help: "How long the key is valid: 36h, 90d (default: until it is revoked).")
    var expires: String?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let lifetime = try expires.map {
            try Duration.option("--expires", $0, in: .seconds(1)...ReportInstant.longestAgo, suchAs: "36h or 90d")
        }
        guard origin.isEmpty || scope == .app else {
            throw CommandFailure(.usage, "--origin goes with --scope app: only such a key may stand in a web page")
        }
        let origins = try origin.map { text in
            do {
                return try WebOrigin.normalised(text)
            } catch {
                throw CommandFailure(.usage, "--origin \(error), not '\(text)'")
            }
        }
        let key = try await app.withStore { store, app in
            try await store.addKey(of: app, scope: scope, label: label, lifetime: lifetime, origins: origins)
        }
        Record([("app_id", .string(app.id)), ("\(scope.rawValue)_key", .string(key))]).print(as: format.form)
    }
}
