package import Events
package import InboundLinks

// Positions as switches: `allCases.firstIndex(of:)` compares case by case, and folds ask for every touch.

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

extension Composer {
    /// Position in `allCases`.
    package var position: Int {
        switch self {
        case .feedDialog: 0
        case .shareDialog: 1
        case .openGraph: 2
        case .stories: 3
        case .requestDialog: 4
        }
    }
}

extension Platform {
    /// Position in `allCases`.
    package var position: Int {
        switch self {
        case .ios: 0
        case .android: 1
        case .web: 2
        case .desktop: 3
        }
    }
}
