import ArgumentParser
import Foundation
import Storage

struct ExportPersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is kept of a person as NDJSON, for a subject access request.",
        discussion: """
            Each line is a JSON object. Its field 'record' names its kind: 'person' (the ids), 'event' (every column), \
            'webhook_message' (waits for a receiver or was given up), 'rejected_event', or 'spooled_event' (waits in a \
            spool on this machine). All lines from the database show the same moment. The file appears whole or not at all, and only its owner can read it.
            """
    )

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"))
    var output: String?

    func run() async throws {
        _ = try person.key()
        let counts: DeletionCounts
        if let output {
            let file = try WholeFile(path: output, option: "--output", keepsMode: false)
            counts = try await export { try file.write($0 + "\n") }
            try file.place()
        } else {
            counts = try await export { try StandardOutput.write($0 + "\n") }
        }
        let lines = counts.values.filter { $0.name != "person" }
        StandardError.write(lines.map { "\($0.name): \($0.count)" }.joined(separator: ", "))
    }

    private func export(_ write: @escaping @Sendable (String) throws -> Void) async throws -> DeletionCounts {
        try await person.withStore(readsOnly: true) { store, app, key in
            try await DeletionProgressLine.with { try await store.export(of: key, in: app, progress: $0, write: write) }
        }
    }
}
