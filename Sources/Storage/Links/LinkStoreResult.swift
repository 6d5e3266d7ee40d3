package import Redirects

/// What has become of a link that was to be created.
package enum LinkStoreResult: Equatable, Sendable {
    /// With its host, its slug and its times.
    case created(Link)
    /// There is a live link with the same fields already: this one.
    case reused(Link)
    /// Nothing was stored. The code `slug_taken` is among them if another link has, or had, the slug.
    case faults([LinkFault])
}

/// What has become of a link that was to be changed.
package enum LinkUpdateResult: Equatable, Sendable {
    /// The link as it is now, changed or not.
    case updated(Link)
    /// Nothing was stored.
    case faults([LinkFault])
    /// The app has no live link of this slug.
    case notFound
}

/// Which links of an app to list. Those that fulfil all conditions.
package struct LinkFilter: Equatable, Sendable {
    package var host: String?
    package var ref: String?
    /// A part of the slug, of `target_url`, `app_url`, the title or the note. Case does not count.
    package var text: String?

    package init() {}
}

/// How links are listed.
package enum LinkOrder: Sendable {
    /// By host, then by slug, byte by byte.
    case address
    case newestFirst
}
