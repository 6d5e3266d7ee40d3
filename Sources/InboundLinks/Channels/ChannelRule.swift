/// Which rule of docs/links.md, *Channels* chose a channel. Stored beside the channel, so that history can be re-classified.
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
    /// An `fb_source` that no table knows, and no later rule applied: `other`.
    case unknownFbSource = "unknown_fb_source"
    case unattributed
}
