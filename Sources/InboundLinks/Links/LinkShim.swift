import Text

/// Facebook's link shim, `https://l.facebook.com/l.php?u=U`, through which Facebook opens the links of its pages
/// (docs/links.md, *How a link is read*). It stands for the link `U`.
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
                isRaw = URLParts(bytes: Array(bytes[value])).scheme != nil
                destination = isRaw ? Array(bytes[value]) : PercentDecoding.bytes(bytes, value, plusIsSpace: true)
                siblings = []
            // The shim's signature, and how it was opened.
            case "h", "s": continue
            default: siblings += [UInt8(ascii: "&")] + pair
            }
        }
        guard var destination, let text = String(validating: destination, as: UTF8.self), URLParts(text).scheme != nil
        else { return nil }
        // A link that came unencoded: what follows belongs to it, if it has a query.
        guard isRaw, destination.contains(UInt8(ascii: "?")) else { return text }
        destination += siblings
        return String(decoding: destination, as: UTF8.self)
    }

    private static func isShim(_ parts: URLParts) -> Bool {
        let isPage = ("/l.php" as StaticString).matchesIgnoringCase(parts.bytes, parts.path)
        if parts.hostIs("l.instagram.com") { return isPage || parts.pathIsRoot }
        return isPage
            && (parts.hostIs("l.facebook.com") || parts.hostIs("lm.facebook.com") || parts.hostIs("l.messenger.com"))
    }
}
