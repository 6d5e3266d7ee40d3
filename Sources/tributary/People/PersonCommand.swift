import ArgumentParser

struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Show, export or delete everything that is kept of one person.",
        discussion: """
            A person is named by any id that stands for it: a user, a device or a click. All the others are found: the \
            devices that were seen with the user, the clicks that were seen with those. docs/privacy.md says what is kept, \
            for how long, and what deletion does.

              tributary person show --app shop --user alice
              tributary person export --app shop --user alice --output alice.ndjson
              tributary person delete --app shop --device phone-7

            No index finds a person's events: the app's events are read once, which takes up to a second for each million.
            """,
        subcommands: [ShowPersonCommand.self, ExportPersonCommand.self, DeletePersonCommand.self]
    )
}
