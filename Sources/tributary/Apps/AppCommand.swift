import ArgumentParser

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Create, show, change, move and delete apps, and manage their keys, rules, properties and rates.",
        subcommands: [
            CreateAppCommand.self, ListAppsCommand.self, ShowAppCommand.self, UpdateAppCommand.self,
            ListKeysCommand.self, AddKeyCommand.self, RotateKeyCommand.self, RevokeKeyCommand.self,
            AppRulesCommand.self, AppPropertyCommand.self, RatesCommand.self, DeleteAppCommand.self,
            MoveAppCommand.self, CheckAppCommand.self,
        ]
    )
}
