/// The rule that chose a channel (docs/links.md, *Channels*). It is stored beside the channel, so that history can be
/// classified again.
package enum ChannelRule: Hashable, Sendable {
    case explicit
    /// A rule of the app itself, by its number from 1 (docs/rules.md).
    case app(Int)
    case requestParameters
    case fbSource
    case legacyRef
    case storyParameters
    case bookmarkPosition
    case appCenter
    case foreignReferer
    case targetShape
    /// `fb_source` is in no table, and no later rule applied. The channel is `other`.
    case unknownFbSource
    case unattributed
    /// The campaign that Meta added to an install referrer. No link has it.
    case metaCampaign
}

extension ChannelRule: CaseIterable {
    /// The rules of every app.
    package static let allCases: [ChannelRule] = [
        .explicit, .requestParameters, .fbSource, .legacyRef, .storyParameters, .bookmarkPosition, .appCenter,
        .foreignReferer, .targetShape, .unknownFbSource, .unattributed, .metaCampaign,
    ]
}

extension ChannelRule: RawRepresentable {
    package init?(rawValue: String) {
        if let rule = Self.allCases.first(where: { $0.rawValue == rawValue }) {
            self = rule
            return
        }
        guard rawValue.hasPrefix(Self.appPrefix), let number = Int(rawValue.dropFirst(Self.appPrefix.count)), number > 0
        else { return nil }
        self = .app(number)
    }

    /// The name that is stored and shown.
    package var rawValue: String {
        switch self {
        case .explicit: "explicit"
        case .app(let number): "\(Self.appPrefix)\(number)"
        case .requestParameters: "request_parameters"
        case .fbSource: "fb_source"
        case .legacyRef: "legacy_ref"
        case .storyParameters: "story_parameters"
        case .bookmarkPosition: "bookmark_position"
        case .appCenter: "app_center"
        case .foreignReferer: "foreign_referer"
        case .targetShape: "target_shape"
        case .unknownFbSource: "unknown_fb_source"
        case .unattributed: "unattributed"
        case .metaCampaign: "meta:campaign"
        }
    }

    private static let appPrefix = "app:"
}
