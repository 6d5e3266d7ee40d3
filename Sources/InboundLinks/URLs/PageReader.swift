import Text

/// Tells which page a target leads to (docs/reports.md, *Pages*): targets of one page differ in their scheme, `www.`,
/// port, parameters and so on.
package struct PageReader: Equatable, Sendable {
    /// The names of parameters that belong to the page, in the order in which the page has them. Other parameters are
    /// left out.
    package var keptParameters: [String]

    package init(keeping keptParameters: [String] = []) {
        self.keptParameters = keptParameters
    }

    /// The page of a target; nil if nothing is left of it.
    package func page(of target: some Sequence<UInt8>) -> String? {
        let url = URLParts(bytes: Array(target))
        var page = Self.host(of: url)
        page += url.bytes[url.path]
        while page.last == UInt8(ascii: "/") { page.removeLast() }
        page += kept(of: url)
        guard !page.isEmpty else { return nil }
        let text = String(decoding: page, as: UTF8.self)
        return RowName.matches(text) ? "\"\(text)\"" : text
    }

    /// In lower case, without a dot at its end, and without `www.` or `m.` where a domain follows.
    private static func host(of url: URLParts) -> [UInt8] {
        var host = url.bytes[url.host].map(\.lowercasedASCII)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        for prefix in ["www.", "m."] where host.starts(with: prefix.utf8) {
            let rest = host.dropFirst(prefix.utf8.count)
            if rest.contains(UInt8(ascii: ".")) { return Array(rest) }
        }
        return host
    }

    /// `?id=7&size=2`, as the target spells it; empty if it has none of the kept parameters. Those without a value do
    /// not count.
    private func kept(of url: URLParts) -> [UInt8] {
        guard !keptParameters.isEmpty, let start = url.queryStart else { return [] }
        let query = url.bytes[start..<url.whole.upperBound].prefix { $0 != UInt8(ascii: "#") }
        let pairs = query.split(separator: UInt8(ascii: "&"))
        var kept: [UInt8] = []
        for name in keptParameters {
            for pair in pairs where pair.starts(with: "\(name)=".utf8) && pair.count > name.utf8.count + 1 {
                kept.append(kept.isEmpty ? UInt8(ascii: "?") : UInt8(ascii: "&"))
                kept += pair
            }
        }
        return kept
    }
}
