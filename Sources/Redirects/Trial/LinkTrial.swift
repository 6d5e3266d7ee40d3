package import Time

/// A request that `tributary link try` makes up: a link with its app, and a visitor. Nothing is counted.
package struct LinkTrial: Sendable {
    package var link: Link
    package var app: LinkApp
    package var visitor: Visitor

    /// Stands for the id of the click, which a trial does not have.
    package static let clickID = "{click_id}"

    package init(settings: TrialSettings, visitor: Visitor) throws(LinkFault) {
        (link, app) = try settings.checked()
        self.visitor = visitor
    }

    /// What the visitor would get.
    package func redirect(now: Timestamp) -> Redirect {
        var table = LinkTable()
        table.set(app, hosts: [link.host])
        table.set(link)
        guard visitor.method != .other, let slug = visitor.target.slug,
            let found = table.link(host: link.host, askedAs: slug)
        else { return .notFound(visitor, app: app) }
        return .decide(visitor, link: found, app: app, clickID: Self.clickID, now: now)
    }
}
