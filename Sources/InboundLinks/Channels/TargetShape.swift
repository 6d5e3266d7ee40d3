/// The channel by the shape of the target, if no parameter decides it (docs/links.md, *Channels*, `target_shape`).
struct TargetShape {
    /// The host is one of Facebook's.
    var isFacebook: Bool
    var channel: Channel

    init(_ url: URLParts) {
        let bytes = url.bytes
        isFacebook = Self.isFacebook(url)
        channel = .storyLinks
        guard url.hostIs(inDomain: "facebook.com") else { return }
        let segments = bytes[url.path].split(separator: UInt8(ascii: "/"))
        let namesFacebook = url.hostIs("facebook.com") || url.hostIs("m.facebook.com") || url.hostIs("www.facebook.com")
        if namesFacebook, let first = segments.first,
            ("appcenter" as StaticString).matchesIgnoringCase(bytes, first.startIndex..<first.endIndex)
        {
            channel = .other
            return
        }
        // An empty query does not count.
        if let start = url.queryStart, start < url.whole.upperBound, bytes[start] != UInt8(ascii: "#") { return }
        let namesApp =
            if url.hostIs("apps.facebook.com") {
                segments.count == 1
            } else {
                namesFacebook && segments.count == 2
                    && ("apps" as StaticString).matchesIgnoringCase(
                        bytes,
                        segments[0].startIndex..<segments[0].endIndex
                    )
            }
        if namesApp { channel = .storyAttribution }
    }

    /// Whether the URL is on Facebook's site or Messenger's, or is one of their short links.
    static func isFacebook(_ url: URLParts) -> Bool {
        url.hostIs(inDomain: "facebook.com") || url.hostIs(inDomain: "fb.com") || url.hostIs("fb.me")
            || url.hostIs("fb.gg") || url.hostIs("m.me") || url.hostIs(inDomain: "messenger.com")
    }
}
