import ArgumentParser

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Short links: create, change, import and export them, try them, and print QR codes.",
        subcommands: [
            CreateLinkCommand.self, ListLinksCommand.self, ShowLinkCommand.self, UpdateLinkCommand.self,
            DeleteLinkCommand.self, ImportLinksCommand.self, ExportLinksCommand.self, TryLinkCommand.self,
            QRLinkCommand.self,
        ]
    )
}
