import ArgumentParser
import Redirects
import Storage

struct ShowLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a short link.")

    @OptionGroup var options: LinkOptions

    @Argument(help: "The link's slug.")
    var slug: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let link = try await options.withStore { store, app in try await options.link(slug, in: app, store) }
        link.shownRecord.print(as: format.form)
    }
}
