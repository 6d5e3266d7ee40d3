/// The values of `ref` that Facebook itself used before `fb_source` (docs/links.md, *Channels*). They are reserved: no
/// ref of an app can be one of them.
enum LegacyRef {
    static func channel(of raw: String) -> Channel? {
        switch FacebookSource.normalised(raw) {
        case "ts", "search", "hiq", "br_tf", "br_ts", "br_rs": .search
        case "bookmarks", "game_my_recent", "games_my_recent": .bookmarks
        case "notif": .requests
        case "mf", "nf": .storyLinks
        case "app_directory", "games_featured", "games_ego": .other
        default: nil
        }
    }
}
