import Text

/// The ranges of the parts of a URL (RFC 3986 section 3). Reading is tolerant, because apps, proxies and logs change
/// URLs. Only ``Parameters`` finds the end of the query, because raw JSON in it may contain a `#`.
struct URLParts {
    let bytes: [UInt8]
    /// Without blanks around the URL.
    let whole: Range<Int>
    /// Without the colon; nil for a relative URL.
    let scheme: Range<Int>?
    /// Without user and port; empty if there is none.
    let host: Range<Int>
    let path: Range<Int>
    /// Just after `?`.
    let queryStart: Int?
    /// Just after the first `#`; nil if a query comes before it.
    let fragmentStart: Int?

    init(_ url: String) {
        self.init(bytes: Array(url.utf8))
    }

    init(bytes: [UInt8]) {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start].isBlank { start += 1 }
        while end > start, bytes[end - 1].isBlank { end -= 1 }

        var index = start
        var scheme: Range<Int>?
        if let colon = Self.schemeEnd(bytes, start..<end) {
            scheme = start..<colon
            index = colon + 1
        }
        var host = index..<index
        if index + 1 < end, bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: "/") {
            index += 2
            let authority = index..<Self.partEnd(bytes, index..<end, orSlash: true)
            host = Self.host(bytes, authority)
            index = authority.upperBound
        }
        let pathEnd = Self.partEnd(bytes, index..<end, orSlash: false)
        self.bytes = bytes
        self.whole = start..<end
        self.scheme = scheme
        self.host = host
        self.path = index..<pathEnd
        self.queryStart = pathEnd < end && bytes[pathEnd] == UInt8(ascii: "?") ? pathEnd + 1 : nil
        self.fragmentStart = pathEnd < end && bytes[pathEnd] == UInt8(ascii: "#") ? pathEnd + 1 : nil
    }

    /// Whether this could be a URL, absolute or relative. A sentence is not one.
    var couldBeURL: Bool {
        guard let first = bytes[whole].first, first != UInt8(ascii: ":"), !bytes[whole].contains(0) else {
            return false
        }
        if scheme != nil { return true }
        var blank = false
        var substance = false
        for byte in bytes[whole] {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
            default:
                if byte.isBlank { blank = true }
                if byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 { substance = true }
            }
        }
        return substance && !blank
    }

    var text: String {
        String(decoding: bytes[whole], as: UTF8.self)
    }

    /// The URL without some pairs of its query or fragment, which are in order. Nil if nothing else is left.
    func text(without pairs: [Range<Int>]) -> String? {
        guard !pairs.isEmpty else { return text }
        var rest = bytes
        var end = whole.upperBound
        for pair in pairs.reversed() {
            let isFollowed = pair.upperBound < end && rest[pair.upperBound] == UInt8(ascii: "&")
            // The first pair of several takes the `&` after it along, any other the sign before it.
            let removed =
                isFollowed && rest[pair.lowerBound - 1] != UInt8(ascii: "&")
                ? pair.lowerBound..<pair.upperBound + 1 : pair.lowerBound - 1..<pair.upperBound
            rest.removeSubrange(removed)
            end -= removed.count
        }
        return end > whole.lowerBound ? String(decoding: rest[whole.lowerBound..<end], as: UTF8.self) : nil
    }

    /// The digits after `fb` in the scheme, and the letters after them (docs/links.md, *Forms of a link*). Nil if
    /// anything else follows the digits.
    var appID: (id: Range<Int>, suffix: Range<Int>)? {
        guard let id = appIDDigits, let scheme else { return nil }
        let suffix = id.upperBound..<scheme.upperBound
        return bytes[suffix].allSatisfy(\.isASCIILetter) ? (id, suffix) : nil
    }

    /// The digits after `fb` in the scheme, whatever follows them.
    var appIDDigits: Range<Int>? {
        guard let scheme, scheme.count > 2,
            ("fb" as StaticString).matchesIgnoringCase(bytes, scheme.lowerBound..<scheme.lowerBound + 2)
        else { return nil }
        let start = scheme.lowerBound + 2
        let end = bytes[start..<scheme.upperBound].firstIndex { !$0.isASCIIDigit } ?? scheme.upperBound
        return end > start ? start..<end : nil
    }

    func schemeIs(_ name: StaticString) -> Bool {
        guard let scheme else { return false }
        return name.matchesIgnoringCase(bytes, scheme)
    }

    func hostIs(_ name: StaticString) -> Bool {
        name.matchesIgnoringCase(bytes, hostName)
    }

    /// The host without the dot that ends a complete name.
    private var hostName: Range<Int> {
        guard host.count > 1, bytes[host.upperBound - 1] == UInt8(ascii: ".") else { return host }
        return host.lowerBound..<host.upperBound - 1
    }

    /// Whether the host is this domain or one of its subdomains.
    func hostIs(inDomain domain: StaticString) -> Bool {
        let length = domain.utf8CodeUnitCount
        let host = hostName
        guard host.count >= length,
            domain.matchesIgnoringCase(bytes, host.upperBound - length..<host.upperBound)
        else { return false }
        return host.count == length || bytes[host.upperBound - length - 1] == UInt8(ascii: ".")
    }

    /// Whether the path is empty or `/`.
    var pathIsRoot: Bool {
        path.isEmpty || (path.count == 1 && bytes[path.lowerBound] == UInt8(ascii: "/"))
    }

    private static func schemeEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard let first = bytes[range].first, first.isASCIILetter else { return nil }
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: ":"): return index
            // `_` is not allowed in a scheme, but apps have registered such schemes.
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): continue
            case let byte where byte.isASCIILetter || byte.isASCIIDigit: continue
            default: return nil
            }
        }
        return nil
    }

    private static func partEnd(_ bytes: [UInt8], _ range: Range<Int>, orSlash: Bool) -> Int {
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return index
            case UInt8(ascii: "/") where orSlash: return index
            default: continue
            }
        }
        return range.upperBound
    }

    private static func host(_ bytes: [UInt8], _ authority: Range<Int>) -> Range<Int> {
        let start = bytes[authority].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.lowerBound
        var end = authority.upperBound
        if let colon = bytes[start..<end].lastIndex(of: UInt8(ascii: ":")),
            bytes[colon + 1..<end].allSatisfy(\.isASCIIDigit)
        {
            end = colon
        }
        return start..<end
    }
}
