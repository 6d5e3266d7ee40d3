import ArgumentParser

struct RejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejected",
        abstract: "List, show, retry or delete rejected events.",
        discussion: """
            A rejected event is kept, redacted and with the reason, until a retry stores it or it is purged. The \
            daemon removes it after rejected.days (default 30). docs/events.md lists the codes.

              tributary rejected list --app shop --from yesterday
              tributary rejected list --code unknown_field --format csv
              tributary rejected retry --app shop --code unknown_field
              tributary rejected purge --app shop
            """,
        subcommands: [
            ListRejectedCommand.self, ShowRejectedCommand.self, RetryRejectedCommand.self, PurgeRejectedCommand.self,
        ]
    )
}
