package import InboundLinks

extension Channel {
    /// Position in `allCases`, the order of report rows.
    package var position: Int {
        switch self {
        case .search: 0
        case .bookmarks: 1
        case .requests: 2
        case .storyAttribution: 3
        case .storyLinks: 4
        case .other: 5
        case .unattributed: 6
        }
    }
}
