public import struct Foundation.Date

/// A link that somebody followed. What is set explicitly wins over what ``url`` says.
public struct TributaryLink: Sendable, Equatable {
    /// The link as it came in, at most 8 KiB. One of `url`, `targetURL` and `channel` is needed.
    public var url: String?
    public var targetURL: String?
    /// The categories of the post that it came from, at most 16 of at most 256 bytes.
    public var refs: [String]
    public var channel: TributaryChannel?
    public var refererApp: String?
    public var refererURL: String?
    /// Whether the person was logged in when the app was opened.
    public var authenticated: Bool?
    /// Whether it was followed before the app was installed.
    public var deferred: Bool?
    /// When a deferred link was tapped, where that is known.
    public var clickedAt: Date?
    /// The post that it came from.
    public var postID: String?
    public var paid: Bool?

    public init(url: String? = nil, targetURL: String? = nil, refs: [String] = [], channel: TributaryChannel? = nil) {
        self.url = url
        self.targetURL = targetURL
        self.refs = refs
        self.channel = channel
    }
}
