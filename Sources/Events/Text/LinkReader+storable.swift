import InboundLinks

extension LinkReader {
    /// Reads a URL as an event has it.
    ///
    /// - Returns: nil if a text of the link contains U+0000, which PostgreSQL does not store. If only refs that the
    ///   rules find do, the link is read without the rules.
    static func readStorable(_ url: String, overriding overrides: LinkOverrides, rules: ReadingRules) -> LinkReading? {
        let reading = read(url, overriding: overrides, rules: rules)
        guard case .inboundLink(let link) = reading, link.containsNul || link.hasNulWithoutRules else { return reading }
        return rules.isEmpty ? nil : readStorable(url, overriding: overrides, rules: .none)
    }

    /// Reads the link of an event without a URL.
    static func readStorable(_ overrides: LinkOverrides, rules: ReadingRules) -> InboundLink {
        let link = read(overrides, rules: rules)
        return link.containsNul && !rules.isEmpty ? read(overrides) : link
    }
}

extension InboundLink {
    fileprivate var hasNulWithoutRules: Bool { refsWithoutRules?.contains(where: \.containsNul) ?? false }
}
