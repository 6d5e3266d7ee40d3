import ArgumentParser
import Redirects
import Storage

struct UpdateLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change a short link, and print it.",
        discussion: """
            What is not given stays. An empty value removes a field. Daemons serve the change within a second. Host \
            and slug cannot be changed.

              tributary link update sale --target-url https://example.com/summer
              tributary link update sale --expires-at '' --disabled on
            """
    )

    @OptionGroup var options: LinkOptions

    @Argument(help: "The link's slug.")
    var slug: String

    @OptionGroup var fields: LinkFieldOptions

    @OptionGroup var format: RecordFormat

    func validate() throws {
        if fields.isEmpty { throw ValidationError("nothing to change: give a field, such as --target-url") }
    }

    func run() async throws {
        let (slug, fields) = (slug, fields)
        let link = try await options.withStore { store, app in
            let result = try await store.update(of: app, host: options.host, slug: slug) { try fields.apply(to: &$0) }
            switch result {
            case .updated(let link): return link
            case .faults(let faults): throw CommandFailure(.usage, faults.inOptions)
            case .notFound: throw LinkOptions.notFound(slug, app)
            }
        }
        link.shownRecord.print(as: format.form)
    }
}
