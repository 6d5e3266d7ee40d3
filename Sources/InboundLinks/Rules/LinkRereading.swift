/// Reads a link that was read before once more, by other rules. What the event stated itself stays.
package enum LinkRereading {
    /// - Returns: the link by today's rules; nil if it cannot be read by them, and stays as it is.
    package static func read(_ link: InboundLink, by rules: ReadingRules) -> InboundLink? {
        let stated = link.stated ?? inferredFields(of: link)
        guard var read = read(link.redactedURL, overriding: overrides(of: link, stated), rules: rules) else {
            return nil
        }
        // A time in the URL is checked against the time of receipt. That has been done.
        read.clickedAt = link.clickedAt
        read.redactedURL = link.redactedURL
        read.stated = stated.subtracting(.shortLinkRefs)
        if stated.contains(.shortLinkRefs), read.refs.isEmpty {
            read.refs = link.refs
            read.stated?.insert(.shortLinkRefs)
        }
        return read
    }

    private static func read(
        _ url: String?,
        overriding overrides: LinkOverrides,
        rules: ReadingRules = .none
    ) -> InboundLink? {
        guard let url else { return LinkReader.read(overrides, rules: rules) }
        guard case .inboundLink(let link) = LinkReader.readAgain(url, overriding: overrides, rules: rules) else {
            return nil
        }
        return link
    }

    private static func overrides(of link: InboundLink, _ stated: StatedFields) -> LinkOverrides {
        func value<Value>(_ field: StatedFields, _ value: Value?) -> Value? { stated.contains(field) ? value : nil }
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

    /// What the event stated, of a link that was stored before that was noted. No app had rules of its own then, so
    /// what the rules of every app do not find in the URL was stated.
    private static func inferredFields(of link: InboundLink) -> StatedFields {
        var stated: StatedFields = []
        if link.rule == .explicit { stated.insert(.channel) }
        guard let url = link.redactedURL else {
            stated.formUnion([.targetURL, .refererApp, .refererURL, .authenticated, .deferred, .clickedAt, .paid])
            guard let read = read(nil, overriding: overrides(of: link, stated)) else { return stated }
            if link.refs != read.refs, !link.refs.isEmpty { stated.insert(.refs) }
            return stated
        }
        guard let own = read(url, overriding: .none) else { return stated }
        func compare<Value: Equatable>(_ field: StatedFields, _ value: KeyPath<InboundLink, Value>) {
            if link[keyPath: value] != own[keyPath: value] { stated.insert(field) }
        }
        compare(.targetURL, \.targetURL)
        compare(.refererApp, \.refererApp)
        compare(.refererURL, \.refererURL)
        compare(.authenticated, \.authenticated)
        compare(.deferred, \.deferred)
        compare(.clickedAt, \.clickedAt)
        compare(.paid, \.paid)
        // A target may have refs in its own query.
        let read = read(url, overriding: overrides(of: link, stated))
        if !link.refs.isEmpty, link.refs != read?.refs { stated.insert(.refs) }
        return stated
    }
}
