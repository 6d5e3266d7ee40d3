import ArgumentParser

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Create, show and delete apps, and manage their keys.",
        subcommands: [
            CreateAppCommand.self, ListAppsCommand.self, ShowAppCommand.self, ListKeysCommand.self,
            AddKeyCommand.self, RotateKeyCommand.self, RevokeKeyCommand.self, DeleteAppCommand.self,
        ]
    )
}
