import HTTPTypes
import HummingbirdCore
import Ingest

/// The dashboards of several databases. A host whose first label is the name of a database has its dashboard
/// (`games.stats.example.com`), every other host that of the first one. A browser sends a session's cookie to its host
/// alone, and each dashboard knows the sessions of its database alone.
struct Dashboards: PageResponder {
    /// With the names of their databases, the main one first.
    let all: [(name: String, pages: any PageResponder)]

    func respond(to request: Request, from sender: PageSender) async -> Response? {
        await pages(of: request, isProxied: sender.isProxied).respond(to: request, from: sender)
    }

    /// The same for all databases.
    func programPath(of request: Request) -> String? { all[0].pages.programPath(of: request) }

    private func pages(of request: Request, isProxied: Bool) -> any PageResponder {
        let forwarded = isProxied ? HTTPField.Name("X-Forwarded-Host").flatMap { request.headers[$0] } : nil
        let label = (forwarded ?? request.head.authority ?? "").prefix { $0 != "." && $0 != ":" }.lowercased()
        return (all.dropFirst().first { $0.name == label } ?? all[0]).pages
    }
}
