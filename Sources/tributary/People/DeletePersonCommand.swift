import ArgumentParser
import Storage

struct DeletePersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a person for good: all ids, all tables, and the spools of this machine. Cannot be undone.",
        discussion: """
            Removes everything that was received until now, and prints a receipt, which the database keeps too and which \
            says nothing of whom. Events that were received before and are stored later, from a spool elsewhere for \
            example, are dropped. Events that are received later belong to a new person, whatever ids they carry. An event \
            that is sent again with its event_id stays away.

            Run it where the daemon runs, as its user or as root, so that its spool can be rewritten.
            """
    )

    @OptionGroup var person: PersonOptions

    @Option(help: "text or json.")
    var format: RecordFormat = .text

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        let receipt = try await person.withStore { store, app, key in
            if !yes {
                let summary = try await DeletionProgressLine.with {
                    try await store.summary(of: key, in: app, progress: $0)
                }
                let ids = PersonKey.Kind.allCases.compactMap { kind -> String? in
                    let ids = summary.person.ids(kind)
                    return ids.isEmpty ? nil : "\(kind.rawValue) \(ids.joined(separator: ", "))"
                }
                try Confirmation.ask(
                    "Delete \(summary.events.count) events of \(ids.joined(separator: "; ")) for good?",
                    answer: "yes",
                    yes: false
                )
            }
            return try await DeletionProgressLine.with { try await store.erase(key, in: app, progress: $0) }
        }
        receipt.record.print(as: format)
    }
}
