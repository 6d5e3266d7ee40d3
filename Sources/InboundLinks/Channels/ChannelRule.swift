/// The rule of docs/links.md, *Channels*, that chose a channel. It is stored beside the channel, so that history can be
/// classified again.
package enum ChannelRule: String, CaseIterable, Sendable {
    case explicit
    case requestParameters = "request_parameters"
    case fbSource = "fb_source"
    case legacyRef = "legacy_ref"
    case storyParameters = "story_parameters"
    case bookmarkPosition = "bookmark_position"
    case appCenter = "app_center"
    case foreignReferer = "foreign_referer"
    case targetShape = "target_shape"
    /// `fb_source` is in no table, and no later rule applied. The channel is `other`.
    case unknownFbSource = "unknown_fb_source"
    case unattributed
}
