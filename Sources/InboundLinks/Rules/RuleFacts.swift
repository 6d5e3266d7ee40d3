import Text

/// What the rules of an app can look at in a link.
struct RuleFacts {
    var outer: Parameters
    /// The target's own parameters. They win over `outer`.
    var target: Parameters
    var targetURL: URLParts?
    var refererApp: String?

    /// Nil if the link does not have it, or it is empty.
    func value(of subject: ReadingRule.Subject) -> String? {
        switch subject {
        case .parameter(let name): parameter(name)
        case .refererApp: refererApp.map { $0.trimmed.lowercasedASCII }
        case .scheme: targetURL.flatMap { url in url.scheme.map { url.text(of: $0).lowercasedASCII } }
        case .host: targetURL.flatMap { $0.host.isEmpty ? nil : $0.text(of: $0.host).lowercasedASCII }
        case .path: targetURL.flatMap(Self.path)
        }
    }

    func parameter(_ name: String) -> String? {
        target.keptValue(of: name) ?? outer.keptValue(of: name)
    }

    private static func path(of url: URLParts) -> String? {
        guard !url.path.isEmpty else { return url.host.isEmpty ? nil : "/" }
        return PercentDecoding.text(url.bytes, url.path, plusIsSpace: false) ?? url.text(of: url.path)
    }
}

extension URLParts {
    fileprivate func text(of range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
