import Text

/// Facebook's link shim, `https://l.facebook.com/l.php?u=U`, through which Facebook, Messenger, Instagram, Threads and
/// WhatsApp open the links of their pages (docs/links.md, *How a link is read*). It stands for the link `U`, an http or
/// https URL.
enum LinkShim {
    /// The link behind a shim, also behind a shim in a shim; nil if the URL is not a shim.
    static func destination(of url: String) -> String? {
        var found: String?
        for _ in 0..<4 {
            guard let next = inner(of: URLParts(found ?? url)) else { break }
            found = next
        }
        return found
    }

    private static func inner(of parts: URLParts) -> String? {
        guard let start = parts.queryStart, parts.schemeIs("https") || parts.schemeIs("http"), isShim(parts) else {
            return nil
        }
        let bytes = parts.bytes
        let end = bytes[start..<parts.whole.upperBound].firstIndex(of: UInt8(ascii: "#")) ?? parts.whole.upperBound
        var destination: [UInt8]?
        var isRaw = false
        var siblings: [UInt8] = []
        for pair in bytes[start..<end].split(separator: UInt8(ascii: "&")) {
            let keyEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            switch String(decoding: pair[..<keyEnd], as: UTF8.self) {
            case "u" where keyEnd < pair.endIndex:
                let value = keyEnd + 1..<pair.endIndex
                isRaw = isWebAddress(Array(bytes[value]))
                destination = isRaw ? Array(bytes[value]) : PercentDecoding.bytes(bytes, value, plusIsSpace: true)
                siblings = []
            // The shim's signature, and how it was opened.
            case "e", "enc", "h", "s": continue
            default: siblings += [UInt8(ascii: "&")] + pair
            }
        }
        guard var destination, isWebAddress(destination), let text = String(validating: destination, as: UTF8.self)
        else { return nil }
        // A link that came unencoded: what follows belongs to it, if it has a query.
        guard isRaw, destination.contains(UInt8(ascii: "?")) else { return text }
        destination += siblings
        return String(decoding: destination, as: UTF8.self)
    }

    private static func isWebAddress(_ url: [UInt8]) -> Bool {
        let parts = URLParts(bytes: url)
        return parts.schemeIs("https") || parts.schemeIs("http")
    }

    private static func isShim(_ parts: URLParts) -> Bool {
        if anyPathHosts.contains(where: { parts.hostIs($0) }) { return true }
        var page = parts.path
        while let last = page.last, parts.bytes[last] == UInt8(ascii: "/") { page.removeLast() }
        if parts.hostIs("l.wl.co") { return ("/l" as StaticString).matchesIgnoringCase(parts.bytes, page) }
        return facebookHosts.contains(where: { parts.hostIs($0) })
            && facebookPages.contains { $0.matchesIgnoringCase(parts.bytes, page) }
    }

    private static let anyPathHosts: [StaticString] = [
        "l.messenger.com", "l.instagram.com", "l.threads.com", "l.threads.net",
    ]
    private static let facebookHosts: [StaticString] = [
        "facebook.com", "www.facebook.com", "m.facebook.com", "l.facebook.com", "lm.facebook.com", "web.facebook.com",
        "mbasic.facebook.com", "touch.facebook.com",
    ]
    /// Without slashes at the end.
    private static let facebookPages: [StaticString] = ["/l.php", "/flx/warn"]
}
