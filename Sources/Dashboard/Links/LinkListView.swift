import Redirects
import Storage
import Time

/// The links of an app, the newest first, page by page.
struct LinkListView {
    struct Row {
        var host: String
        var slug: String
        var page: String
        var title: String
        var target: String
        var refs: String
        var state: String
        var created: String
        /// In the page's days; `–` if nobody can tell now.
        var clicks: String
        var installs: String
        /// The share of the clicks whose id came back.
        var returned: String
    }

    static let pageLength = 50

    /// Those of the clicks and installs.
    var days: String
    /// The days and conditions, for the form.
    var shared: [HiddenField]
    var text: String
    var isSearch: Bool
    var rows: [Row]
    var isEmpty: Bool
    /// Why there are no rows.
    var reason: String
    /// The app's id, for a command.
    var appID: String
    /// Creates the first link; nil if there are some, or none can be.
    var command: String?
    var hasHost: Bool
    /// Whether the one who asks may create links.
    var isEditable = Caller.may(.manager)
    /// The page after this; empty if this is the last.
    var next: String
    var hasNext: Bool
    /// The first page; empty if this is it.
    var first: String
    var hasFirst: Bool

    init(_ request: ViewRequest, now: Timestamp) async throws(DashboardFailure) {
        let after: LinkAddress? =
            if let host = request["after_host"], let slug = request["after_slug"] {
                LinkAddress(host: host, slug: slug)
            } else {
                nil
            }
        let search = request["text"]
        var filter = LinkFilter()
        filter.text = search
        // One more shows whether there is another page.
        let found = try await request.stores.ask { [filter] in
            try await $0.links.list(
                of: request.app,
                filter,
                order: .newestFirst,
                after: after,
                limit: Self.pageLength + 1
            )
        }
        let time = LocalTime(timeZone: request.app.profile.timeZone)
        let shown = found.prefix(Self.pageLength)
        let figures = await Self.figures(of: shown, request)
        func figure(_ column: String, of link: Link) -> String {
            guard let figures else { return "–" }
            return NumberText.grouped(figures[Array(link.name.utf8)]?.number(column) ?? 0)
        }
        func rate(of link: Link) -> String {
            figures?[Array(link.name.utf8)]?["return_rate"].number.map { NumberText.percent($0) }
                ?? "–"
        }
        days = request.span.words
        text = search ?? ""
        isSearch = search != nil
        rows = shown.map { link in
            Row(
                host: link.host,
                slug: link.slug,
                page: link.page,
                title: link.preview.title ?? "",
                target: link.targetURL ?? link.appURL ?? "–",
                refs: link.refs.isEmpty ? "–" : link.refs.joined(separator: ", "),
                state: LinkState(link, now: now).rawValue,
                created: link.createdAt.map(time.text) ?? "–",
                clicks: figure("clicks", of: link),
                installs: figure("installs", of: link),
                returned: rate(of: link)
            )
        }
        isEmpty = rows.isEmpty
        reason =
            after != nil
            ? "There are no more links."
            : search != nil
                ? "No link has this text." : "No links yet."
        appID = request.app.profile.id
        command =
            isEmpty && after == nil && search == nil && !request.app.profile.linkHosts.isEmpty
            ? "tributary link create --app \(appID) --target-url https://shop.example/ --ref spring" : nil
        hasHost = !request.app.profile.linkHosts.isEmpty
        let kept = search.map { [(name: "text", value: $0)] } ?? []
        hasNext = found.count > Self.pageLength
        next =
            hasNext
            ? shown.last.map { request.href(.links, kept + [("after_host", $0.host), ("after_slug", $0.slug)]) } ?? ""
            : ""
        hasFirst = after != nil
        first = hasFirst ? request.href(.links, kept) : ""
        shared = request.shared.map { HiddenField(name: $0.name, value: $0.value) }
    }

    /// What links have brought, by the bytes of their names: two spellings of a letter are equal as texts.
    ///
    /// - Returns: nil if the report fails. The list is worth showing without it.
    private static func figures(of links: some Collection<Link>, _ request: ViewRequest) async -> [[UInt8]: ReportRows
        .Row]?
    {
        guard !links.isEmpty else { return [:] }
        let asked = request.address("links", [("where", Filters.condition("link", links.map(\.name)))])
        guard let figures = try? await request.rows("links", asked.parameters, areMain: false) else { return nil }
        return Dictionary(figures.rows.map { (Array($0.text("link").utf8), $0) }) { first, _ in first }
    }
}
