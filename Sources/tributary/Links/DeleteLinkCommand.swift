import ArgumentParser
import Redirects
import Storage

struct DeleteLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a short link. This cannot be undone.",
        discussion: """
            The link's visitors get a page that says that there is nothing. Its clicks are kept, and its slug stays \
            taken. To switch a link off for a while: tributary link update SLUG --disabled on
            """
    )

    @OptionGroup var options: LinkOptions

    @Argument(help: "The link's slug.")
    var slug: String

    @OptionGroup var format: RecordFormat

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() async throws {
        let deleted = try await options.withStore { store, app in
            let link = try await options.link(slug, in: app, store)
            try Confirmation.ask("Delete \(link.shortURL) permanently?", answer: "yes", yes: yes)
            guard let deleted = try await store.delete(of: app, host: link.host, slug: link.slug) else {
                throw LinkOptions.notFound(slug, app)
            }
            return deleted
        }
        deleted.shownRecord.print(as: format.form)
    }
}
