import Redirects

/// A path on a host of short links.
enum LinkPath {
    /// `/robots.txt`.
    case robots
    /// `/favicon.ico`, which browsers ask for without being told to.
    case icon
    /// `/.well-known/apple-app-site-association`, also without `/.well-known`.
    case appleAssociation
    /// `/.well-known/assetlinks.json`.
    case androidAssociation
    /// The path of a link, or of none.
    case link

    /// Nil for the daemon's own paths, which every host has.
    init?(_ path: String) {
        switch path {
        case "/robots.txt": self = .robots
        case "/favicon.ico": self = .icon
        case "/.well-known/apple-app-site-association", "/apple-app-site-association": self = .appleAssociation
        case "/.well-known/assetlinks.json": self = .androidAssociation
        default:
            let first = path.dropFirst().prefix { $0 != "/" }
            if first != ".well-known", Slug.reserved.contains(String(first)) { return nil }
            self = .link
        }
    }
}
