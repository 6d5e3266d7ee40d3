import Text

/// The URL of a story as the story join compares it (docs/links.md, *The story join*).
package enum StoryLink {
    /// The URL in its normal form (RFC 3986, 6.2.2 and 6.2.3), without the fragment and what others add to it: the
    /// parameters `fb_*`, `action_*_map`, `request_ids`, `ref`, `fbclid` and a `click_id` of ours. A link shim is
    /// replaced by its link. Parameters keep their order.
    package static func normalised(_ url: String) -> String {
        var link = normalForm(LinkShim.destination(of: url) ?? url)
        // A shim in another spelling.
        while let destination = LinkShim.destination(of: link) { link = normalForm(destination) }
        return link
    }

    private static func normalForm(_ url: String) -> String {
        var parts = URLParts(url)
        let query = query(of: parts)
        // Blanks before a removed part are now at the end of the URL, where they do not count.
        if query.isEmpty { parts = URLParts(bytes: Array(parts.bytes[..<parts.path.upperBound])) }

        let bytes = parts.bytes
        var result: [UInt8] = []
        result.reserveCapacity(parts.whole.count + 8)
        if let scheme = parts.scheme { result += bytes[scheme].map(\.lowercasedASCII) + [UInt8(ascii: ":")] }
        let authority = authority(of: parts)
        if let authority { result += "//".utf8 + authority }
        result += path(of: parts, follows: authority)
        var separator = UInt8(ascii: "?")
        for pair in query {
            result.append(separator)
            result += pair
            separator = UInt8(ascii: "&")
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Nil if there is none. It may be empty.
    private static func authority(of parts: URLParts) -> [UInt8]? {
        let bytes = parts.bytes
        let start = parts.scheme.map { $0.upperBound + 1 } ?? parts.whole.lowerBound
        guard parts.path.lowerBound > start else { return nil }
        let userInfo = URLEscapes.normalised(bytes[start + 2..<parts.host.lowerBound])
        let port = bytes[parts.host.upperBound..<parts.path.lowerBound]
        let isOwnPort = port.count < 2 || ownPorts.contains { parts.schemeIs($0.scheme) && port.elementsEqual($0.port) }
        return userInfo + HostName.normalised(bytes[parts.host]) + (isOwnPort ? [] : port)
    }

    private static let ownPorts: [(scheme: StaticString, port: [UInt8])] = [
        ("https", Array(":443".utf8)), ("http", Array(":80".utf8)),
    ]

    private static func path(of parts: URLParts, follows authority: [UInt8]?) -> [UInt8] {
        // A relative path might begin like a scheme.
        guard parts.scheme != nil || authority != nil || parts.bytes[parts.path].first == UInt8(ascii: "/") else {
            return Array(parts.bytes[parts.path])
        }
        let path = URLEscapes.normalised(parts.bytes[parts.path])
        guard path.first == UInt8(ascii: "/") else {
            return path.isEmpty && authority?.isEmpty == false ? [UInt8(ascii: "/")] : path
        }
        // Most paths have no segment that begins with a dot.
        let hasDots = zip(path, path.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: ".") }
        guard hasDots else { return path }
        var segments: [ArraySlice<UInt8>] = []
        let all = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (place, segment) in all.enumerated() {
            let isParent = segment.elementsEqual("..".utf8)
            guard isParent || segment.elementsEqual(".".utf8) else {
                segments.append(segment)
                continue
            }
            if isParent { _ = segments.popLast() }
            if place == all.count - 1 { segments.append([]) }
        }
        // Without an authority, a path that began with `//` would be read as one.
        if authority == nil, segments.count > 1, segments[0].isEmpty { segments.insert([UInt8(ascii: ".")], at: 0) }
        return segments.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
    }

    /// The parameters that the story itself has.
    private static func query(of parts: URLParts) -> [[UInt8]] {
        guard let start = parts.queryStart else { return [] }
        let bytes = parts.bytes
        let end = bytes[start..<parts.whole.upperBound].firstIndex(of: UInt8(ascii: "#")) ?? parts.whole.upperBound
        var pairs: [[UInt8]] = []
        for var pair in bytes[start..<end].split(separator: UInt8(ascii: "&")).reversed() {
            while pairs.isEmpty, let last = pair.last, last.isBlank { pair.removeLast() }
            let normalised = URLEscapes.normalised(pair)
            if !normalised.isEmpty, !isAdded(normalised) { pairs.append(normalised) }
        }
        return pairs.reversed()
    }

    private static func isAdded(_ pair: [UInt8]) -> Bool {
        let keyEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        guard let key = PercentDecoding.bytes(pair, 0..<keyEnd, plusIsSpace: false) else { return false }
        if key.starts(with: "fb_".utf8) { return true }
        switch ParameterName(key, 0..<key.count) {
        case .actionMap, .requestIDs, .ref, .fbclid: return true
        case .clickID: return ClickID.isClickID(pair, min(keyEnd + 1, pair.endIndex)..<pair.endIndex)
        default: return false
        }
    }
}
