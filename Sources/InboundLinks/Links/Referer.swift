import Text

/// The app or page that a person came from.
struct Referer {
    var app: String?
    var url: String?

    var isKnown: Bool { app != nil || url != nil }

    /// Whether the app is Facebook, by its name, its package, its bundle id, or a URL. The scheme `fb<APPID>` belongs
    /// to an app that uses Facebook's SDK, not to Facebook.
    var isFacebook: Bool {
        if let app {
            let name = app.trimmed.lowercasedASCII
            if name == "facebook" || name.hasPrefix("facebook ") || name == "messenger" { return true }
            if Self.namesFacebook(name) { return true }
        }
        return url.map { Self.namesFacebook($0.trimmed.lowercasedASCII) } ?? false
    }

    /// Nil if the text says that there is no referer, as `about:blank` and `(direct)` do.
    static func stated(_ text: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty, !JunkID.matches(text) else { return nil }
        let word = text.lowercasedASCII
        if word.hasPrefix("about:") { return nil }
        switch word {
        case "direct", "(direct)", "(direct) / (none)", "direct / none", "(direct)/(none)", "no-referrer",
            "no referrer", "no-referer", "no referer", "(no referrer)", "(no referer)", "none", "(none)", "(blank)",
            "blank", "(empty)", "empty":
            return nil
        default: return text
        }
    }

    /// Whether a text in lower case is a URL of Facebook's, its package or bundle id, or its host.
    private static func namesFacebook(_ text: String) -> Bool {
        if text.hasPrefix(package) { return true }
        let parts = URLParts(text)
        guard let scheme = parts.scheme else { return TargetShape.isFacebook(URLParts("//" + text)) }
        if parts.schemeIs("android-app") || parts.schemeIs("ios-app") {
            return String(decoding: parts.bytes[parts.host], as: UTF8.self).hasPrefix(package)
        }
        // A host with a port reads as a scheme.
        if parts.host.isEmpty, scheme.upperBound + 1 < parts.whole.upperBound,
            parts.bytes[scheme.upperBound + 1].isASCIIDigit
        {
            return TargetShape.isFacebook(URLParts("//" + text))
        }
        if text.hasPrefix("fb") { return parts.appIDDigits == nil }
        return TargetShape.isFacebook(parts)
    }

    private static let package = "com.facebook."
}
