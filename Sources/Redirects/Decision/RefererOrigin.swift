/// The site of a `Referer` header: path and query may tell of a person, and are not kept.
enum RefererOrigin {
    /// `https://example.com`, `android-app://com.example`; nil for anything else.
    static func of(_ referer: String) -> String? {
        guard let (scheme, rest) = AppAddress.parts(referer), rest.hasPrefix("//"),
            ["http", "https", "android-app", "ios-app"].contains(scheme)
        else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        guard let host = LinkHost.named(by: String(authority)) else { return nil }
        return "\(scheme)://\(host)"
    }
}
