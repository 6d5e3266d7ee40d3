package import InboundLinks

extension InboundLink {
    /// Whether any text of the link contains U+0000, which a URL can spell as `%00`.
    package var containsNul: Bool {
        // One by one: an array of the texts would be allocated for every link.
        func hasNul(_ text: String?) -> Bool { text?.containsNul ?? false }
        return hasNul(appID) || hasNul(schemeSuffix) || hasNul(targetURL) || hasNul(fbSource) || hasNul(refererApp)
            || hasNul(refererURL) || hasNul(promoCode) || hasNul(fbclid) || hasNul(redactedURL)
            || refs.contains(where: \.containsNul) || actionIDs.contains(where: \.containsNul)
            || actionTypes.contains(where: \.containsNul) || requestIDs.contains(where: \.containsNul)
    }
}
