import ArgumentParser
import Foundation
import Settings

/// The command line (docs/command-line.md, *Commands*).
@main
struct TributaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributary",
        abstract: "Attribution and analytics for app makers: which posts and channels bring people who stay.",
        discussion: """
            Without DATABASE_URL or --database, Tributary uses a private PostgreSQL cluster under .tributary \
            (TRIBUTARY_HOME). It creates and starts the cluster on demand.

            Start here:
              tributary demo                                  see it work
              tributary app create --id shop --name Shop      create an app and its keys
              tributaryd                                      receive events over HTTP
              tributary report channels --app shop            print a report
            """,
        version: TributaryVersion.current,
        subcommands: [
            AppCommand.self, UserCommand.self, InspectCommand.self, LinkCommand.self, ImportCommand.self,
            ReportCommand.self, QuestionCommand.self, BoardCommand.self, NoteCommand.self, CostCommand.self,
            ExportCommand.self, RejectedCommand.self, PersonCommand.self, PruneCommand.self, ReceiptsCommand.self,
            WebhookCommand.self, OutgoingCommand.self, LogCommand.self, RefreshCommand.self, DictionaryCommand.self,
            MigrateCommand.self, RebuildCommand.self, RedactCommand.self, RereadCommand.self, DoctorCommand.self,
            DemoCommand.self, MCPCommand.self,
        ]
    )

    static func main() async {
        Allocator.keepSmall()
        let arguments = NegativeNumber.joined(Array(CommandLine.arguments.dropFirst()))
        do {
            if let help = CatalogueHelp(for: arguments) { return try StandardOutput.write(help.text) }
            try Suggestion.checkSubcommand(arguments, of: self)
            var command = try await asyncParseAsRoot(arguments)
            if let unknown = UnknownVariables(in: ProcessInfo.processInfo.environment) {
                StandardError.write("tributary: warning: unknown environment variables are ignored: \(unknown)")
            }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            try StandardOutput.flush()
        } catch {
            CommandFailure.exit(self, with: arguments, because: error)
        }
    }
}
