import Text

/// The app that a person came from.
struct Referer {
    var app: String?
    var url: String?

    var isKnown: Bool { app != nil || url != nil }

    /// Whether the app is Facebook, by its name or its URL. The scheme `fb<APPID>` belongs to an app that uses
    /// Facebook's SDK, not to Facebook.
    var isFacebook: Bool {
        if let app {
            let name = app.trimmed.lowercasedASCII
            if name == "facebook" || name.hasPrefix("facebook ") || name == "messenger" { return true }
        }
        guard let url else { return false }
        let parts = URLParts(url)
        guard let scheme = parts.scheme, scheme.count >= 2 else { return false }
        if ("fb" as StaticString).matchesIgnoringCase(parts.bytes, scheme.lowerBound..<scheme.lowerBound + 2) {
            return parts.appIDDigits == nil
        }
        return TargetShape.isFacebook(parts)
    }
}
