import ArgumentParser
import Assistants
import Foundation
import Settings

struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an AI assistant read reports: a Model Context Protocol server on standard input and output.",
        discussion: """
            An assistant's program starts this command itself; docs/assistants.md shows its configuration. It lists the \
            reports, runs a report or a saved question, explains a column, and shows how a link is read. It changes \
            nothing, and gives no lists of people. Every answer has the definitions and the warnings beside the figures.

              tributary mcp --app shop
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The app of calls that name none (default: the only one).", valueName: "id"),
        completion: AppIDs.completion
    )
    var app: String?

    func run() async throws {
        if StandardError.isTerminal, isatty(0) == 1 {
            StandardError.write(
                "tributary: reads JSON-RPC messages, one a line; docs/assistants.md says who sends them"
            )
        }
        try await database.withPool(size: try await database.reportConnections(), readsOnly: true) { pool in
            let server = MCPServer(
                AssistantAnswers(pool: pool, defaultApp: app),
                programVersion: TributaryVersion.current
            ) { line in
                try StandardOutput.write(line + "\n")
            }
            let input = StandardInputLines()
            try await server.run { try await input.next() }
        }
    }
}
