package import Time

/// The content of a link (docs/links.md). Tokens are redacted in every field.
package struct InboundLink: Equatable, Sendable {
    /// The form of a link (docs/links.md, *Forms of a link*).
    package enum Form: String, CaseIterable, Sendable {
        case legacyAuthorize = "legacy_authorize"
        case appLink = "app_link"
        case applinkArgs = "applink_args"
        case plain
    }

    package var form: Form = .plain
    package var appID: String?
    /// The letters after `fb<APPID>` in the scheme, in lower case. Empty if there are none, nil if the scheme is
    /// another one.
    package var schemeSuffix: String?
    package var targetURL: String?
    package var authenticated = false
    package var channel: Channel = .unattributed
    /// The name of the rule that chose the channel, stored beside it.
    package var rule: ChannelRule = .unattributed
    package var refs: [String] = []
    /// The refs that the link has without the rules of its app, if they gave it others. Only a link that was just read
    /// has them: the rules decide neither whether it can be stored nor which post it came from.
    package var refsWithoutRules: [String]?
    /// As received, not normalised.
    package var fbSource: String?
    package var actionIDs: [String] = []
    package var actionTypes: [String] = []
    package var requestIDs: [String] = []
    package var refererApp: String?
    package var refererURL: String?
    package var deferred = false
    /// The time in `fb_click_time_utc`, if it is valid. If it is later than the open, the tap counts at the open.
    package var clickedAt: Timestamp?
    /// The click that the link or its target names in a `click_id` of ours. Only a link that was just read has it: it
    /// is stored with the event.
    package var clickID: String?
    package var paid = false
    package var testTraffic = false
    package var promoCode: String?
    package var fbclid: String?
    /// The raw link with its secrets replaced by `REDACTED`; nil if there was no raw link.
    package var redactedURL: String?
    /// What the event stated itself, so that it stays when the link is read again.
    package var stated: StatedFields = []

    package init() {}
}
