import InboundLinks

extension Channel {
    /// What was tapped.
    var meaning: String {
        switch self {
        case .search: "your app among the results of Facebook's search"
        case .bookmarks: "your app in a person's own list of apps"
        case .requests: "an invitation by a friend, or another notification"
        case .storyAttribution: "the name of your app on a story"
        case .storyLinks: "the story itself: its picture, its title, its link"
        case .other: "something known that is none of these: an ad, a page, a link in another app"
        case .unattributed: "unknown: nothing in the link says where it was"
        }
    }

    /// The meaning of a channel's name, or of `direct`; nil for another name.
    static func meaning(of name: String) -> String? {
        name == "direct"
            ? "no tap: installs and conversions of people who tapped no link before, which other tools call organic"
            : Channel(rawValue: name)?.meaning
    }
}

extension Panel {
    /// The channels that the panel's tables name, with what they mean.
    var explainingChannels: Panel {
        let named = tables.reduce(into: Set<String>()) { $0.formUnion($1.channels) }
        var panel = self
        panel.terms = (Channel.allCases.map(\.rawValue) + ["direct"]).filter(named.contains)
            .map { Term(name: $0, meaning: Channel.meaning(of: $0) ?? "") }
        return panel
    }
}
