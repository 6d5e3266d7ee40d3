import ArgumentParser

struct RejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejected",
        abstract: "Look after rejected events, which are kept with their reason.",
        discussion: """
            They are kept until they are retried or purged; run 'tributary rejected purge --older-than 30d --yes' once a \
            day.
            """,
        subcommands: [
            ListRejectedCommand.self, ShowRejectedCommand.self, RetryRejectedCommand.self, PurgeRejectedCommand.self,
        ]
    )
}
