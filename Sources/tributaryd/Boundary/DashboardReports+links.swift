import Answering
import Dashboard
import Postgres
import Redirects
import Storage

/// Short links, as people at a browser see and create them. They do not use the pool of answers, so that no search
/// in many links delays what apps wait for.
extension DashboardReports {
    private var store: LinkStore { LinkStore(pool: pool) }

    func links(
        of app: App,
        text: String?,
        after address: LinkAddress?,
        limit: Int
    ) async throws(DashboardFailure) -> [Link] {
        try await failures.onPage {
            var filter = LinkFilter()
            filter.text = text
            return try await store.list(of: app, filter, order: .newestFirst, after: address, limit: limit)
        }
    }

    func link(at address: LinkAddress, of app: App) async throws(DashboardFailure) -> Link? {
        try await failures.onPage {
            try await store.link(of: app, host: address.host, slug: address.slug)
        }
    }

    func create(_ link: Link, of app: App) async throws(DashboardFailure) -> LinkStoreResult {
        try await failures.onPage {
            // One link has one result.
            try await store.create([link], of: app, reuse: false)[0]
        }
    }

    func textForQRCode(of link: Link) async throws(DashboardFailure) -> String {
        try await failures.onPage { try await store.textForQRCode(of: link) }
    }
}
