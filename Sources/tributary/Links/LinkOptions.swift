import ArgumentParser
import InboundLinks
import Postgres
import Redirects
import Storage

/// The stored link that a command works on.
struct LinkOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "The link's host (default: any of the app's).")
    var host: String?

    /// Runs the body with the app and the link's store.
    func withStore<Result>(_ body: (LinkStore, App) async throws -> Result) async throws -> Result {
        try await database.withPool(readsOnly: true) { pool in
            try await body(LinkStore(pool: pool), try await app.app(on: pool))
        }
    }

    /// - Throws: `CommandFailure` if there is no such link.
    func link(_ slug: String, in app: App, _ store: LinkStore) async throws -> Link {
        guard let link = try await store.link(of: app, host: host, slug: slug) else {
            throw Self.notFound(slug, app)
        }
        return link
    }

    static func notFound(_ slug: String, _ app: App) -> CommandFailure {
        CommandFailure(
            .usage,
            "the app '\(app.profile.id)' has no link '\(slug)'; 'tributary link list' shows its links"
        )
    }
}

extension Link {
    /// All fields, after the whole URL.
    var shownRecord: Record {
        Record([("short_url", .string(shortURL))] + record)
    }
}
