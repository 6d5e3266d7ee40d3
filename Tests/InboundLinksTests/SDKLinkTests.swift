import InboundLinks
import Testing

/// Links in the forms that Facebook's SDKs and similar SDKs expect, with values of our own.
@Suite("Links as SDKs know them")
struct SDKLinkTests {
    @Test(arguments: [
        "http://www.example.com", "http://www.example.com?", "http://www.example.com?foo&bar=baz&space=%20",
    ])
    func aWebLinkIsItsOwnTarget(_ url: String) throws {
        let link = try link(url)
        #expect(link.form == .plain)
        #expect(link.targetURL == url)
        #expect(link.channel == .unattributed)
    }

    @Test func anAutomaticAppLinkHasNoTargetOfItsOwn() throws {
        let url = "fb123://applinks?al_applink_data=%7B%22product_id%22%3A+5%2C+%22is_fb_auto_applink%22%3A+true%7D"
        let link = try link(url)
        #expect(link.form == .appLink)
        #expect(link.appID == "123")
        #expect(link.targetURL == url)
        #expect(link.channel == .storyLinks)
    }

    @Test func aDebuggingLinkIsTestTrafficAndPaid() throws {
        let link = try link(appLink(#"{"acs_token": "S", "campaign_ids": "10", "test_deeplink": 1}"#, scheme: "fb123"))
        #expect(link.testTraffic)
        #expect(link.paid)
        #expect(link.redactedURL?.contains("%22S%22") == false)
    }

    @Test func aLoginThatComesAsAnAppLinkIsNoLink() throws {
        let login = #"{\"granted_scopes\":\"public_profile\",\"signed_request\":\"SECRET.SECRET\",\"nonce\":\"n\"}"#
        let json =
            #"{"target_url":null,"extras":{"fb_login":"\#(login)"},"referer_app_link":{"url":"fb:\/\/\/","app_name":"Facebook"}}"#
        let redacted = appLink(json.replacing("SECRET.SECRET", with: "REDACTED"))
        #expect(LinkReader.read(appLink(json)) == .loginResult(redactedURL: redacted))
    }

    @Test func aReturnToTheRefererIsRead() throws {
        let json =
            #"{"a":"b","user_agent":"x","target_url":"http:\/\/www.example.com\/path?baz=bat","referer_app_link":{"app_name":"Example","url":"example:\/\/docs","target_url":"http:\/\/example.com"}}"#
        let link = try link("bolts://?foo=bar&al_applink_data=\(encoded(json))")
        #expect(link.targetURL == "http://www.example.com/path?baz=bat")
        #expect(link.refererApp == "Example")
        #expect(link.channel == .other)
        #expect(link.rule == .foreignReferer)
    }

    @Test func brokenJSONOfAnotherVersionIsPlain() throws {
        let url =
            #"pay://applinks/?al_applink_data={"extras": {"code": "T",},"referer_app_link": {"url": "", "app_name": "WEB"}, "version": "6.0"}"#
        #expect(try link(url).form == .plain)
        #expect(try link(url).targetURL == url)
    }

    @Test func severalJSONParametersInOneDecodedURLAreToldApart() throws {
        let url =
            #"fbrpc://facebook/native?app_id=1&al_applink_data={"target_url":"https:\/\/fb.me\/5","extras":{"fb_app_id":42},"referer_app_link":{"url":"fb:\/\/\/","app_name":"Facebook","package":"p"}}&appsite_data={"android":[{"is_app_link":true,"market_uri":"market:\/\/details?id=p&referrer=utm"}]}&has_app_link=1"#
        let link = try link(url)
        #expect(link.appID == "42")
        #expect(link.targetURL == "https://fb.me/5")
        #expect(link.channel == .storyLinks)
    }

    @Test func theRawMapsOfAStoryAreRead() throws {
        let link = try link(
            #"http://a.example/x?fb_action_ids=1%2C2&fb_action_types=og.likes&action_object_map={%221%22%3A5}&action_ref_map=[]"#
        )
        #expect(link.actionIDs == ["1", "2"])
        #expect(link.rule == .storyParameters)
    }

    @Test(arguments: [
        ("http://apps.facebook.com/x/?fb_source=search&ref=ts&fref=ts", Channel.search, ChannelRule.fbSource),
        ("https://apps.facebook.com/x/?fb_source=appcenter&fb_appcenter=1", .other, .fbSource),
        ("https://www.facebook.com/games/x/?fbs=110&fb_appcenter=1", .other, .appCenter),
        ("https://a.example/app/?fb_source=bookmark&ref=bookmarks&count=0&fb_bmpos=_0", .bookmarks, .fbSource),
        ("http://apps.facebook.com/x/?fb_source=facebook_intel", .storyLinks, .targetShape),
        ("http://a.example/?fb_source=notificationa&request_ids=1&ref=notif", .requests, .requestParameters),
        ("http://a.example/?fb_source=facebook_intel", .other, .unknownFbSource),
        ("https://apps.facebook.com/x/?fb_source=canvasbookmark_recommended", .other, .fbSource),
    ])
    func observedLinksHaveTheirChannel(_ url: String, _ channel: Channel, _ rule: ChannelRule) throws {
        let link = try link(url)
        #expect(link.channel == channel)
        #expect(link.rule == rule)
        #expect(link.refs == [])
    }

    @Test(arguments: [
        ("http://whatever?error_code=4201&error_message=User+canceled+the+Dialog+flow", PostOutcome.cancelled),
        ("http://whatever?post_id=12_34", .posted), ("fbconnect://success?post_id=my-post&error_code=0", .posted),
        ("fbconnect://success?error_code=123&error_message=message", .failed),
    ])
    func webDialogsAnswer(_ url: String, _ outcome: PostOutcome) {
        #expect(FeedPostReader.read(url, dialog: .share).outcome == outcome)
    }
}
