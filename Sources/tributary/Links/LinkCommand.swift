import ArgumentParser

struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Short links: try where visitors would go, and print QR codes.",
        subcommands: [TryLinkCommand.self, QRLinkCommand.self]
    )
}
