import InboundLinks
import Testing

/// docs/links.md, *Channels*.
@Suite("Channels")
struct ChannelTests {
    private static let sources: [(Channel, [String])] = [
        (.search, ["search", "appcenter_search", "appcenter_search_typeahead"]),
        (
            .bookmarks,
            [
                "bookmark", "bookmarks", "bookmark_apps", "bookmarks_apps", "bookmark_favorites", "bookmark_seeall",
                "canvasbookmark", "canvasbookmark_more", "canvas_bkmk_top", "canvas_bookmark", "canvasbookmarkapps",
                "dashboard_bookmark", "sidebar", "sidebar_bookmark", "myapps", "games_my_recent", "rua", "reminders",
            ]
        ),
        (.requests, ["notification", "request", "appcenter_request"]),
        (
            .storyLinks,
            [
                "feed", "feed_", "feed_playing", "feed_aggregated", "nf", "mf", "home", "home_oneline",
                "home_multiline",
                "other_oneline", "other_multiline", "profile_oneline", "profile_multiline", "ticker_oneline",
                "ticker_multiline", "tickerdialog_oneline", "tickerdialog_multiline", "search_oneline",
                "search_multiline", "ticker", "ticker_og", "timeline", "timeline_og", "timeline_featured",
                "recent_activity", "collection", "aggregation", "message", "group", "email",
            ]
        ),
        (.storyAttribution, ["hovercard"]),
        (
            .other,
            [
                "ad", "appcenter", "appcenter_mobile", "appcenter_featured", "app_directory", "bookmark_favoritestry",
                "dashboard_toplist", "dashboard_suggestion", "ego", "games_ego", "pymk", "games_featured",
                "featured_game", "games_friends_apps", "games_recommended", "x_featured", "canvas_showcase",
                "rightcolumn", "dialog", "dialog_permission", "fbpage", "fbpage_x", "send_tomobile",
            ]
        ),
    ]

    private static let legacy: [(Channel, [String])] = [
        (.search, ["ts", "search", "hiq", "br_tf", "br_ts", "br_rs"]),
        (.bookmarks, ["bookmarks", "game_my_recent", "games_my_recent"]), (.requests, ["notif"]),
        (.storyLinks, ["mf", "nf"]), (.other, ["app_directory", "games_featured", "games_ego"]),
    ]

    private static func flat(_ table: [(Channel, [String])]) -> [(String, Channel)] {
        table.flatMap { row in row.1.map { ($0, row.0) } }
    }

    @Test(arguments: flat(sources))
    func eachKnownSourceHasItsChannel(_ source: String, _ channel: Channel) throws {
        for spelling in [source, "%20\(source.uppercased())//", source + "%2F%20"] {
            let link = try link("https://a.example/?fb_source=\(spelling)")
            #expect(link.channel == channel)
            #expect(link.rule == .fbSource)
        }
    }

    @Test(arguments: flat(legacy))
    func eachLegacyRefHasItsChannel(_ ref: String, _ channel: Channel) throws {
        let link = try link("https://a.example/?ref=\(ref)")
        #expect(link.channel == channel)
        #expect(link.rule == .legacyRef)
    }

    @Test func theRawSourceIsKept() throws {
        #expect(try link("x://a?fb_source=+Feed%2F").fbSource == " Feed/")
    }

    /// Each line beats all that follow it.
    @Test func theFirstRuleThatAppliesDecides() throws {
        let rungs: [(String, Channel, ChannelRule)] = [
            ("request_ids=1", .requests, .requestParameters),
            ("fb_source=search", .search, .fbSource),
            ("ref=bookmarks", .bookmarks, .legacyRef),
            ("fb_action_ids=1", .storyLinks, .storyParameters),
            ("fb_bmpos=1_0", .bookmarks, .bookmarkPosition),
            ("fb_appcenter=1", .other, .appCenter),
        ]
        for first in rungs.indices {
            let query = rungs[first...].map(\.0).joined(separator: "&")
            let foreign = LinkOverrides(refererApp: "Other", refererURL: "other://")
            let link = try link("https://apps.facebook.com/ns/?\(query)", foreign)
            #expect(link.channel == rungs[first].1)
            #expect(link.rule == rungs[first].2)
        }
        let all = rungs.map(\.0).joined(separator: "&")
        #expect(try link("x://a?\(all)", LinkOverrides(channel: .storyAttribution)).rule == .explicit)
    }

    @Test(arguments: ["request_ids=1", "app_request_type=user_to_user", "notif_t=app_request"])
    func requestParametersMeanRequests(_ parameter: String) throws {
        #expect(try link("x://a?fb_source=feed&\(parameter)").channel == .requests)
        #expect(
            try link("fb1://authorize#target_url=" + encoded("http://t.example/?\(parameter)")).channel == .requests
        )
    }

    @Test func emptyParametersDecideNothing() throws {
        #expect(
            try link("x://a?request_ids=&notif_t=&fb_action_ids=&fb_ref=&fb_source=&fb_bmpos=").rule == .unattributed
        )
    }

    @Test func remindersWithRequestIDsAreRequests() throws {
        #expect(try link("x://a?fb_source=reminders&request_ids=").channel == .bookmarks)
        #expect(try link("x://a?fb_source=reminders&request_ids=5").channel == .requests)
    }

    @Test(arguments: [
        "fb_action_ids=1", "fb_action_types=og.likes", "action_object_map=%7B%221%22%3A2%7D", "action_x_map=1",
        "fb_aggregation_id=1", "fb_ref=r", "fb_ref=no_ref_specified,r",
    ])
    func storyParametersMeanStoryLinks(_ parameter: String) throws {
        #expect(try link("x://a?\(parameter)").rule == .storyParameters)
    }

    @Test(arguments: [
        "fb_ref=no_ref_specified", "action_ref_map=%5B%5D", "action_map=1", "action__map=", "fb_appcenter=0",
    ])
    func theirEmptyOnesMeanNothing(_ parameter: String) throws {
        #expect(try link("x://a?\(parameter)").rule == .unattributed)
    }

    @Test func anUnknownSourceIsOtherWhereNothingElseDecides() throws {
        #expect(try link("x://a?fb_source=mystery").channel == .other)
        #expect(try link("x://a?fb_source=mystery").rule == .unknownFbSource)
        #expect(try link("x://a?fb_source=mystery&fb_bmpos=1").channel == .bookmarks)
        #expect(try link("https://apps.facebook.com/ns/?fb_source=mystery").channel == .storyLinks)
        #expect(try link("x://a?fb_source=%20").rule == .unattributed)
    }

    @Test(arguments: [
        ("Other App", "other://", ChannelRule.foreignReferer), ("Facebook", "other://", .targetShape),
        ("Other App", "fb:///x", .targetShape), ("FACEBOOK", "https://a.example", .targetShape),
        ("Other App", "fb123://", .foreignReferer), ("Messenger", "fb-messenger:///", .targetShape),
        ("Other App", "https://m.facebook.com/", .targetShape), ("Facebookish", "x://", .foreignReferer),
        ("com.facebook.orca", "x://", .targetShape), ("com.facebookish.app", "x://", .foreignReferer),
        ("x", "android-app://com.facebook.katana/https/a.example", .targetShape),
        ("x", "android-app://com.facebook.evil.example.com", .targetShape),
        ("x", "com.facebook.Messenger", .targetShape),
        ("x", "android-app://com.example/com.facebook.katana", .foreignReferer), ("x", "https://fb.gg/a", .targetShape),
        ("x", "https://m.me/shop", .targetShape), ("x", "http://www.messenger.com/t/1", .targetShape),
        ("x", "https://facebook.com.evil.example/", .foreignReferer), ("m.facebook.com", "x://", .targetShape),
        ("L.Facebook.com", "x://", .targetShape), ("notm.me", "x://", .foreignReferer),
        ("android-app://com.facebook.lite/", "x://", .targetShape),
        ("facebook.com.evil.example", "x://", .foreignReferer),
        ("x", "https://evil.example/facebook.com", .foreignReferer),
    ])
    func theRefererDecidesByNameOrScheme(_ app: String, _ url: String, _ rule: ChannelRule) throws {
        let json = #"{"target_url":"http://t.example/","referer_app_link":{"url":"\#(url)","app_name":"\#(app)"}}"#
        let link = try link(appLink(json))
        #expect(link.rule == rule)
        #expect(link.channel == (rule == .foreignReferer ? .other : .storyLinks))
    }

    @Test(arguments: [
        ("http://m.facebook.com/apps/ns/", Channel.storyAttribution),
        ("https://www.facebook.com/apps/ns", .storyAttribution),
        ("http://facebook.com/apps/ns/", .storyAttribution), ("https://apps.facebook.com/ns/", .storyAttribution),
        ("HTTPS://APPS.FACEBOOK.COM/ns", .storyAttribution), ("https://apps.facebook.com/ns/?", .storyAttribution),
        ("https://apps.facebook.com/ns/#x", .storyAttribution), ("https://apps.facebook.com/ns/?a=b", .storyLinks),
        ("https://apps.facebook.com/ns/page", .storyLinks), ("https://apps.facebook.com/", .storyLinks),
        ("http://m.facebook.com/apps/ns/x", .storyLinks), ("http://m.facebook.com/apps/", .storyLinks),
        ("http://x.facebook.com/apps/ns/", .storyLinks), ("http://facebook.com/appcenter/ns?a=b", .other),
        ("http://www.facebook.com/appcenter", .other), ("http://notfacebook.com/apps/ns/", .storyLinks),
        ("myapp://item/5", .storyLinks), ("x", .storyLinks),
    ])
    func theShapeOfTheTargetDecides(_ target: String, _ channel: Channel) throws {
        let legacy = try link("fb1://authorize#target_url=\(encoded(target))")
        #expect(legacy.channel == channel)
        #expect(legacy.rule == .targetShape)
        #expect(try link(appLink(#"{"target_url":"\#(target)"}"#)).channel == channel)
    }

    @Test func theShapeOfAPlainTargetCountsOnFacebookOnly() throws {
        #expect(try link("https://apps.facebook.com/ns/").channel == .storyAttribution)
        #expect(try link("https://www.facebook.com/somewhere").channel == .storyLinks)
        #expect(try link("https://facebook.com.evil.example/apps/ns/").channel == .unattributed)
        #expect(try link("https://a.example/").channel == .unattributed)
        #expect(try link("https://a.example/", LinkOverrides(refererApp: "Facebook")).channel == .storyLinks)
        #expect(try link("https://a.example/", LinkOverrides(refererURL: "other://")).rule == .foreignReferer)
        #expect(LinkReader.read(LinkOverrides(refererApp: "Facebook")).channel == .unattributed)
    }
}
