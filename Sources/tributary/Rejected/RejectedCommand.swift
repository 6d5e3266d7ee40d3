import ArgumentParser

struct RejectedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejected",
        abstract: "Look after rejected events, which are kept with their reason.",
        discussion: """
            They are kept until they are retried or purged, or for rejected.days (30), when the daemon removes them.
            """,
        subcommands: [
            ListRejectedCommand.self, ShowRejectedCommand.self, RetryRejectedCommand.self, PurgeRejectedCommand.self,
        ]
    )
}
