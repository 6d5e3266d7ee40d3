import ArgumentParser
import Redirects
import Storage

struct CreateLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a short link, and print it.",
        discussion: """
            Without --slug, the link gets a random one of 7 characters. Daemons serve it within a second.

            Clicks that come from no website and bear no mark of Facebook's are 'unattributed', unless --channel says \
            where the link stands: other for a mail or a poster, story_links for a post of your own.

              tributary link create --target-url https://example.com/sale --slug sale
              tributary link create --app-url myapp://item/42 --ref mail --channel other --reuse
            """
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "The last part of the link's address (default: a random one).")
    var slug: String?

    @Option(help: "A host of the app's links (default: the first).")
    var host: String?

    @OptionGroup var fields: LinkFieldOptions

    @Flag(help: "If a live link has the same fields, print that one and create none.")
    var reuse = false

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let link: Link
        do { link = try given() } catch let fault as LinkFault {
            throw CommandFailure(.usage, [fault].inOptions)
        }
        let result = try await database.withPool { pool in
            try await LinkStore(pool: pool).create([link], of: app.app(on: pool), reuse: reuse)
        }
        switch result.first {
        case .created(let link):
            link.shownRecord.print(as: format.form)
        case .reused(let link):
            StandardError.write("this link has the same fields; no other was created")
            link.shownRecord.print(as: format.form)
        case .faults(let faults):
            throw CommandFailure(.usage, faults.inOptions)
        case nil:
            break
        }
    }

    private func given() throws -> Link {
        var link = Link(host: "", slug: "")
        if let slug { link.slug = try Slug.checked(slug) }
        if let host { link.host = LinkHost.normalised(host) ?? host }
        try fields.apply(to: &link)
        return link
    }
}
