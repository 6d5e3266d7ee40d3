import ArgumentParser
import Foundation
import Storage

struct ExportPersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is kept of a person, as NDJSON: what a subject access request asks for.",
        discussion: """
            One JSON object a line, each with its kind as 'record': 'person' (the ids that stand for it), 'event' (one \
            for each, with every column), 'rejected_event', and 'spooled_event' for what waits in a spool of this machine. \
            All lines are of one moment. A file appears whole or not at all, and is readable by its owner only.
            """
    )

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"))
    var output: String?

    func run() async throws {
        _ = try person.key()
        let counts: DeletionCounts
        if let output {
            let file = try WholeFile(path: output, option: "--output", isPrivate: true)
            counts = try await export { try file.write($0 + "\n") }
            try file.place()
        } else {
            counts = try await export { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }
        }
        let lines = counts.values.filter { $0.name != "person" }
        StandardError.write(lines.map { "\($0.name): \($0.count)" }.joined(separator: ", "))
    }

    private func export(_ write: @escaping @Sendable (String) throws -> Void) async throws -> DeletionCounts {
        try await person.withStore { store, app, key in
            try await DeletionProgressLine.with { try await store.export(of: key, in: app, progress: $0, write: write) }
        }
    }
}
