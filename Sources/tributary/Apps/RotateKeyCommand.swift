import ArgumentParser
import InboundLinks
import Reporting
import Storage
import Time

struct RotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Create a new key; the former keys of that scope stop working after the overlap.",
        discussion: """
            During the overlap, former and new key work, so that you can change the key without losing events. With \
            --overlap 0s every daemon refuses the former keys within a second.

              tributary app rotate-key shop --scope write
              tributary app rotate-key shop --scope read --overlap 7d

            Versions of an app stay in use for months: for --scope app, take such an overlap, or add a key with \
            'tributary app add-key' and revoke the former one later. The new key has the origins of the former ones.
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: AppKey.Scope.meaning)
    var scope: AppKey.Scope

    @Option(help: "How long the former keys still work: 90s, 30m, 36h, 7d.")
    var overlap = "24h"

    @Option(help: "A note that says where the key is used.")
    var label = ""

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let overlap = try Duration.option("--overlap", overlap, suchAs: "0s, 30m, 36h or 7d")
        let end = Timestamp.now.advanced(by: overlap)
        let key = try await app.withStore { store, app in
            try await store.rotateKey(of: app, scope: scope, label: label, overlap: overlap)
        }
        Record([
            ("app_id", .string(app.id)), ("\(scope.rawValue)_key", .string(key)),
            ("former_keys_work_until", .string(end.rfc3339)),
        ]).print(as: format.form)
    }
}

extension AppKey.Scope: ExpressibleByArgument {
    static let meaning: ArgumentHelp = """
        What the key is for: to send events and make links (write), to read reports (read), to read everything and \
        change links and costs (manage), or to stand in an app (app).
        """
}
