/// Reads a link that was read before once more, by other rules. What the event stated itself stays.
package enum LinkRereading {
    /// - Returns: the link by today's rules; nil if it cannot be read by them, and stays as it is.
    package static func read(_ link: InboundLink, by rules: ReadingRules) -> InboundLink? {
        // It came from no link.
        if link.rule == .metaCampaign { return link }
        guard var read = read(link.redactedURL, overriding: overrides(of: link), rules: rules) else { return nil }
        // The event has it, if it was to have it.
        read.clickID = nil
        read.refsWithoutRules = nil
        read.redactedURL = link.redactedURL
        read.stated = link.stated.subtracting(.shortLinkRefs)
        if link.stated.contains(.shortLinkRefs), read.refs.isEmpty || link.stated.contains(.refs) {
            read.refs = link.refs
            read.stated.insert(.shortLinkRefs)
        }
        return read
    }

    private static func read(
        _ url: String?,
        overriding overrides: LinkOverrides,
        rules: ReadingRules
    ) -> InboundLink? {
        guard let url else { return LinkReader.read(overrides, rules: rules) }
        guard case .inboundLink(let link) = LinkReader.readAgain(url, overriding: overrides, rules: rules) else {
            return nil
        }
        return link
    }

    private static func overrides(of link: InboundLink) -> LinkOverrides {
        func value<Value>(_ field: StatedFields, _ value: Value?) -> Value? {
            link.stated.contains(field) ? value : nil
        }
        return LinkOverrides(
            targetURL: value(.targetURL, link.targetURL),
            refs: value(.refs, link.refs) ?? [],
            channel: value(.channel, link.channel),
            refererApp: value(.refererApp, link.refererApp),
            refererURL: value(.refererURL, link.refererURL),
            authenticated: value(.authenticated, link.authenticated),
            deferred: value(.deferred, link.deferred),
            clickedAt: value(.clickedAt, link.clickedAt),
            paid: value(.paid, link.paid)
        )
    }
}
