import Text

/// The URL of a story as the story join compares it (docs/links.md, *The story join*).
package enum StoryLink {
    /// The URL without the parts that Facebook adds: the parameters `fb_*`, `action_*_map`, `request_ids`, `ref` and
    /// `fbclid`, and the fragment. Scheme and host are in lower case. A link shim is replaced by its link. Everything
    /// else keeps its order and its bytes.
    package static func normalised(_ url: String) -> String {
        let parts = URLParts(LinkShim.destination(of: url) ?? url)
        let bytes = parts.bytes
        var result: [UInt8] = []
        result.reserveCapacity(parts.whole.count)

        let pathAndBefore = bytes[parts.whole.lowerBound..<parts.path.upperBound]
        for index in pathAndBefore.indices {
            let foldsCase = parts.scheme?.contains(index) ?? false || parts.host.contains(index)
            result.append(foldsCase ? bytes[index].lowercasedASCII : bytes[index])
        }
        if let queryStart = parts.queryStart { appendQuery(of: parts, from: queryStart, to: &result) }
        // Blanks before a removed part are now at the end of the URL, where they do not count.
        while let last = result.last, last.isBlank { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    private static func appendQuery(of parts: URLParts, from queryStart: Int, to result: inout [UInt8]) {
        let bytes = parts.bytes
        let end = parts.whole.upperBound
        let queryEnd = bytes[queryStart..<end].firstIndex(of: UInt8(ascii: "#")) ?? end
        var separator = UInt8(ascii: "?")
        var pairStart = queryStart
        while pairStart <= queryEnd {
            let pairEnd = bytes[pairStart..<queryEnd].firstIndex(of: UInt8(ascii: "&")) ?? queryEnd
            if pairEnd > pairStart, !isAdded(bytes, pairStart..<pairEnd) {
                result.append(separator)
                result += bytes[pairStart..<pairEnd]
                separator = UInt8(ascii: "&")
            }
            pairStart = pairEnd + 1
        }
    }

    private static func isAdded(_ bytes: [UInt8], _ pair: Range<Int>) -> Bool {
        let keyEnd = bytes[pair].firstIndex(of: UInt8(ascii: "=")) ?? pair.upperBound
        let key = pair.lowerBound..<keyEnd
        guard bytes[key].contains(UInt8(ascii: "%")) else { return isAddedKey(bytes, key) }
        guard let decoded = PercentDecoding.bytes(bytes, key, plusIsSpace: false) else { return false }
        return isAddedKey(decoded, 0..<decoded.count)
    }

    private static func isAddedKey(_ bytes: [UInt8], _ key: Range<Int>) -> Bool {
        if key.count >= 3, ("fb_" as StaticString).matches(bytes, key.lowerBound..<key.lowerBound + 3) { return true }
        switch ParameterName(bytes, key) {
        case .actionMap, .requestIDs, .ref, .fbclid: return true
        default: return false
        }
    }
}
