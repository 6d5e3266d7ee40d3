import ArgumentParser
import Postgres
import Storage

struct OutgoingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outgoing",
        abstract: "Decide whether webhooks and schedules may send from this database.",
        discussion: """
            A database that was copied or restored sends nothing until 'tributary outgoing resume', because its \
            original may send the same. docs/operations.md says more.
            """,
        subcommands: [PauseOutgoingCommand.self, ResumeOutgoingCommand.self]
    )
}

struct PauseOutgoingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Send nothing from this database, for example from a base backup that is tried elsewhere."
    )

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await database.withPool { pool in
            try await pool.withConnection { try OutgoingGate.pause(on: $0) }
        }
    }
}

struct ResumeOutgoingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let webhooks and schedules send from this database. What waits is sent at once."
    )

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await database.withPool { pool in
            try await pool.withConnection { try OutgoingGate.resume(on: $0) }
        }
    }
}
