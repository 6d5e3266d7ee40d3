import ArgumentParser
import InboundLinks
import Redirects
import Storage
import Time

struct ListLinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List an app's short links, the newest first.",
        discussion: "'tributary link export' writes all of them, with all fields."
    )

    @OptionGroup var options: LinkOptions

    @Option(help: "Only links with this ref.")
    var ref: String?

    @Option(help: "Only links with this text in slug, target_url, app_url, title or note.")
    var contains: String?

    @Option(help: "The maximum number of links.")
    var limit = 100

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try (1...100_000).check(limit, of: "--limit")
        let links = try await options.withStore { store, app in
            var filter = LinkFilter()
            filter.host = options.host
            filter.ref = ref
            filter.text = contains
            return try await store.list(of: app, filter, order: .newestFirst, limit: limit + 1)
        }
        Record.print(links.prefix(limit), as: format.form, row: { row($0, now: .now) }, record: \.shownRecord)
        if links.isEmpty {
            StandardError.write("there are no such links; 'tributary link create --target-url URL' creates one")
        } else if links.count > limit {
            StandardError.write("showing the newest \(limit); set --limit to show more")
        }
    }

    private func row(_ link: Link, now: Timestamp) -> [String] {
        let state = link.disabled ? "disabled" : link.isExpired(at: now) ? "expired" : "live"
        return [
            link.shortURL, state, link.createdAt?.rfc3339 ?? "-",
            link.refs.isEmpty ? "-" : link.refs.joined(separator: ","), link.targetURL ?? link.appURL ?? "-",
        ]
    }
}
