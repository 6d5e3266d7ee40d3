import ArgumentParser

struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Short links: try where visitors would go.",
        subcommands: [TryLinkCommand.self]
    )
}
