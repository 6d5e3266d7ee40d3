public import struct Foundation.Date

/// A link that a person followed. Values that are set here win over those in ``url``.
public struct TributaryLink: Sendable, Equatable {
    /// The link as received, at most 8 KiB. At least one of `url`, `targetURL` and `channel` is needed.
    public var url: String?
    /// The page or place that the link leads to. Default: read from `url`.
    public var targetURL: String?
    /// The refs (categories) of the post that the link came from: at most 16, each of at most 256 bytes.
    public var refs: [String]
    /// Default: read from `url`.
    public var channel: TributaryChannel?
    /// The app that the person came from.
    public var refererApp: String?
    public var refererURL: String?
    /// Whether the person was logged in when the app was opened.
    public var authenticated: Bool?
    /// Whether the person followed the link before the app was installed.
    public var deferred: Bool?
    /// When a deferred link was tapped, if that is known.
    public var clickedAt: Date?
    /// The id of the post that the link came from.
    public var postID: String?
    /// Whether the tap was on an ad.
    public var paid: Bool?

    public init(url: String? = nil, targetURL: String? = nil, refs: [String] = [], channel: TributaryChannel? = nil) {
        self.url = url
        self.targetURL = targetURL
        self.refs = refs
        self.channel = channel
    }
}

extension TributaryLink {
    static let fields: [ClientField<TributaryLink>] = [
        ClientField("url", \.url),
        ClientField("target_url", \.targetURL),
        ClientField("ref") { $0.refs.isEmpty ? nil : $0.refs },
        ClientField("channel", \.channel),
        ClientField("referer_app", \.refererApp),
        ClientField("referer_url", \.refererURL),
        ClientField("authenticated", \.authenticated),
        ClientField("deferred", \.deferred),
        ClientField("clicked_at") { $0.clickedAt?.rfc3339 },
        ClientField("post_id", \.postID),
        ClientField("paid", \.paid),
    ]
}
