import ArgumentParser

struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Show, export or delete everything that is kept of a person.",
        discussion: """
            Name the person by any of their ids: a user, a device or a click. Tributary finds the others: the devices \
            that were seen with the user, and the clicks that were seen with the user or those devices. \
            docs/privacy.md says what is kept, for how long, and what deletion does.

              tributary person show --app shop --user alice
              tributary person export --app shop --user alice --output alice.ndjson
              tributary person delete --app shop --device phone-7

            Each command reads all events of the app once, which takes up to a second for each million.
            """,
        subcommands: [ShowPersonCommand.self, ExportPersonCommand.self, DeletePersonCommand.self]
    )
}
