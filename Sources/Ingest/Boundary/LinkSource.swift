package import Redirects

/// Keeps the short links of apps. Its callers have checked the key.
package protocol LinkSource: Sendable {
    /// Creates links. A link with faults does not keep the others from being created.
    ///
    /// - Parameters:
    ///   - links: a link with an empty host gets the app's first one, a link with an empty slug a random one.
    ///   - reuse: whether a live link with the same fields is returned in the place of a new one.
    /// - Returns: a result for each link, in their order.
    func create(
        _ links: [Link],
        reuse: Bool,
        for principal: Principal
    ) async throws(AnswerFailure) -> [LinkCreation]

    /// The live links of the app by host and slug.
    ///
    /// - Parameters:
    ///   - address: host and slug of the last link of the page before; nil for the first page.
    ///   - limit: how many at most.
    func links(
        _ choice: LinkChoice,
        after address: (host: String, slug: String)?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> [Link]

    /// - Parameter host: nil if the app has one host, or any will do.
    /// - Returns: nil if the app has no such link.
    func link(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Link?

    /// Changes a link.
    ///
    /// - Returns: nil if the app has no such link.
    func update(
        host: String?,
        slug: String,
        for principal: Principal,
        change: @escaping @Sendable (inout Link) throws(LinkFault) -> Void
    ) async throws(AnswerFailure) -> LinkChange?

    /// - Returns: whether the app had such a link.
    func delete(host: String?, slug: String, for principal: Principal) async throws(AnswerFailure) -> Bool
}

/// What has become of a link that was to be created.
package enum LinkCreation: Equatable, Sendable {
    case created(Link)
    /// There was a live link with the same fields.
    case reused(Link)
    /// Nothing was stored.
    case faults([LinkFault])
}

/// What has become of a link that was to be changed.
package enum LinkChange: Equatable, Sendable {
    case updated(Link)
    /// Nothing was stored.
    case faults([LinkFault])
}

/// Which links to list: those that fulfil all conditions.
package struct LinkChoice: Equatable, Sendable {
    package var host: String?
    package var ref: String?
    /// A part of the slug, of `target_url`, `app_url`, the title or the note.
    package var text: String?
}
