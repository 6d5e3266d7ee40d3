import Text

/// Query parameters that are appended to a URL, byte for byte.
struct QueryAddition {
    private var pairs: [Substring.UTF8View] = []

    /// - Parameter pair: such as `utm_source=x`, encoded.
    mutating func add(_ pair: Substring.UTF8View) {
        if !pair.isEmpty { pairs.append(pair) }
    }

    /// The URL with those parameters that its query does not have yet, before its fragment.
    func appended(to url: String) -> String {
        guard !pairs.isEmpty else { return url }
        let bytes = url.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { bytes[bytes.index(after: $0)..<end] } ?? bytes[end..<end]
        let known = Set(query.split(separator: UInt8(ascii: "&")).map { Self.key(of: $0) })
        let new = pairs.filter { !known.contains(Self.key(of: $0)) }
        guard !new.isEmpty else { return url }
        var result = Array(bytes[..<end])
        if mark == nil {
            result.append(UInt8(ascii: "?"))
        } else if let last = query.last, last != UInt8(ascii: "&") {
            result.append(UInt8(ascii: "&"))
        }
        result += new.joined(separator: [UInt8(ascii: "&")])
        result += bytes[end...]
        return String(decoding: result, as: UTF8.self)
    }

    /// The decoded name of a parameter; as it is if it cannot be decoded.
    static func key(of pair: Substring.UTF8View) -> String {
        let name = Array(pair.prefix { $0 != UInt8(ascii: "=") })
        return PercentDecoding.text(name, 0..<name.count, plusIsSpace: true) ?? String(decoding: name, as: UTF8.self)
    }
}
