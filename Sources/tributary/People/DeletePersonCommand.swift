import ArgumentParser
import Storage

struct DeletePersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a person from all tables and from the spools on this machine. This cannot be undone.",
        discussion: """
            Deletes everything of the person that was received before now, and prints a receipt. The database keeps \
            the receipt too; it does not say who the person was. Events that were received before and would be stored \
            later, for example from a spool on another machine, are dropped. Events that are received later belong to \
            a new person, whatever ids they carry. A deleted event that is sent again with its event_id is not stored.

            If nothing is kept of the person, the command says so, prints no receipt and ends with status 64.

            Run this on the daemon's machine, as the daemon's user or as root, so that its spool can be rewritten.
            """
    )

    @OptionGroup var person: PersonOptions

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let receipt = try await person.withStore { store, app, key in
            if !yes {
                let summary = try await DeletionProgressLine.with {
                    try await store.summary(of: key, in: app, progress: $0)
                }
                guard !summary.isEmpty else { throw Self.nobody(key, in: app) }
                let ids = PersonKey.Kind.allCases.compactMap { kind -> String? in
                    let ids = summary.person.ids(kind)
                    return ids.isEmpty ? nil : "\(kind.rawValue) \(ids.joined(separator: ", "))"
                }
                try Confirmation.ask(
                    "Delete \(summary.events.count.named("event")) of \(ids.joined(separator: "; ")) permanently?",
                    answer: "yes",
                    yes: false
                )
            }
            let receipt = try await DeletionProgressLine.with { try await store.erase(key, in: app, progress: $0) }
            guard let receipt else { throw Self.nobody(key, in: app) }
            return receipt
        }
        receipt.record.print(as: format.form)
    }

    private static func nobody(_ key: PersonKey, in app: App) -> CommandFailure {
        CommandFailure(
            .usage,
            "nothing was deleted: the app '\(app.profile.id)' has nothing of a person with --\(key.kind.rawValue) '\(key.id)'"
        )
    }
}
