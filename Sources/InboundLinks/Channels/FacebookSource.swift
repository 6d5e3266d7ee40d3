import Text

/// The values of `fb_source` (docs/links.md, *Channels*, table).
enum FacebookSource {
    /// The channel of a raw value; nil if it is in no table.
    static func channel(of raw: String) -> Channel? {
        let value = normalised(raw)
        return exact[value] ?? channel(byPrefixOf: value)
    }

    /// In lower case, without blanks around it and without slashes at the end.
    static func normalised(_ raw: String) -> String {
        var value = raw.trimmed.lowercasedASCII
        while value.utf8.last == UInt8(ascii: "/") {
            value.removeLast()
            value = value.trimmed
        }
        return value
    }

    private static func channel(byPrefixOf value: String) -> Channel? {
        for (prefix, channel) in prefixes where value.utf8.starts(with: prefix.utf8) {
            return channel
        }
        return value.hasSuffix("_recommended") || value.hasSuffix("_featured") ? .other : nil
    }

    private static let prefixes: [(String, Channel)] = [
        ("feed_", .storyLinks), ("timeline_", .storyLinks),
        ("appcenter_", .other), ("dialog_", .other), ("fbpage_", .other),
    ]

    private static let exact: [String: Channel] = {
        var table: [String: Channel] = [:]
        func add(_ channel: Channel, _ values: String...) {
            for value in values { table[value] = channel }
        }
        add(.search, "search", "appcenter_search", "appcenter_search_typeahead")
        add(
            .bookmarks,
            "bookmark",
            "bookmarks",
            "bookmark_apps",
            "bookmarks_apps",
            "bookmark_favorites",
            "bookmark_seeall",
            "canvasbookmark",
            "canvasbookmark_more",
            "canvas_bkmk_top",
            "canvas_bookmark",
            "canvasbookmarkapps",
            "dashboard_bookmark",
            "sidebar",
            "sidebar_bookmark",
            "myapps",
            "games_my_recent",
            "rua",
            // With request ids, the link is a request: an earlier rule decides that.
            "reminders"
        )
        add(.requests, "notification", "request", "appcenter_request")
        add(
            .storyLinks,
            "feed",
            "nf",
            "mf",
            "home",
            "ticker",
            "ticker_og",
            "timeline",
            "recent_activity",
            "collection",
            "aggregation",
            "message",
            "group",
            "email"
        )
        for surface in ["home", "other", "profile", "ticker", "tickerdialog", "search"] {
            add(.storyLinks, "\(surface)_oneline", "\(surface)_multiline")
        }
        add(.storyAttribution, "hovercard")
        add(
            .other,
            "ad",
            "appcenter",
            "app_directory",
            "bookmark_favoritestry",
            "dashboard_toplist",
            "dashboard_suggestion",
            "ego",
            "games_ego",
            "pymk",
            "games_featured",
            "featured_game",
            "games_friends_apps",
            "canvas_showcase",
            "rightcolumn",
            "dialog",
            "fbpage",
            "send_tomobile"
        )
        return table
    }()
}
