import Testing
import InboundLinks

/// docs/links.md, *How a link is read*: the reading rules for the JSON of App Links.
@Suite("App Link data")
struct AppLinkTests {
    @Test(arguments: [#"{broken"#, "[]", "123", #""text""#, "null", "", "{}}", #"{"a":1"#])
    func whatIsNoObjectIsNoAppLink(_ json: String) throws {
        let url = "x://a?fb_source=feed&al_applink_data=\(encoded(json))"
        // A balanced object with something after it still reads.
        #expect(try link(url).form == (json == "{}}" ? .appLink : .plain))
        #expect(try link(url).targetURL == url)
        #expect(try link(url).channel == .storyLinks)
    }

    @Test func validArgsBesideABrokenAppLinkAreUsed() throws {
        let args = encoded(#"{"method_args":{"ref":"r","target_url":"http://t.example/"}}"#)
        for broken in ["%7Bbroken", encoded(#"{"version":"2.0"}"#)] {
            let link = try link("x://a?al_applink_data=\(broken)&fb_applink_args=\(args)")
            #expect(link.form == .applinkArgs)
            #expect(link.targetURL == "http://t.example/")
            #expect(link.refs == ["r"])
        }
    }

    @Test(arguments: [
        (#""1.0""#, true), ("1", true), ("1.0", true), ("null", true), (#""2.0""#, false), ("2", false),
        (#""1""#, false),
        (#""6.0""#, false), ("true", false),
    ])
    func onlyTheFirstVersionIsRead(_ version: String, _ isAppLink: Bool) throws {
        let url = appLink(#"{"version":\#(version),"target_url":"http://t.example/"}"#)
        #expect(try link(url).form == (isAppLink ? .appLink : .plain))
        #expect(try link(url).targetURL == (isAppLink ? "http://t.example/" : url))
    }

    @Test(arguments: [
        "{}", #"{"target_url":null}"#, #"{"target_url":5}"#, #"{"target_url":{}}"#, #"{"target_url":""}"#,
    ])
    func withoutATargetTheInputIsTheTarget(_ json: String) throws {
        let url = appLink(json)
        let link = try link(url)
        #expect(link.form == .appLink)
        #expect(link.targetURL == url)
        #expect(!link.deferred)
    }

    @Test func anUnknownTargetSchemeIsKept() throws {
        #expect(try link(appLink(#"{"target_url":"htpp://www.example.com"}"#)).targetURL == "htpp://www.example.com")
    }

    @Test func rawAmpersandsInsideTheJSONAreRead() throws {
        let half =
            "%7B%22target_url%22%3A%22http://t.example/?a=b&fb_source=feed%22%2C%22extras%22%3A%7B%22fb_app_id%22%3A7%7D%7D"
        let link = try link("x://a?al_applink_data=\(half)&fb_ref=outer")
        #expect(link.form == .appLink)
        #expect(link.targetURL == "http://t.example/?a=b&fb_source=feed")
        #expect(link.appID == "7")
        #expect(link.refs == ["outer"])
    }

    @Test func anAlreadyDecodedURLIsRead() throws {
        let link = try link(
            #"x://a?al_applink_data={"target_url":"http://t.example/?a=%20b&fb_source=feed#x","extras":[]}&fb_ref=outer"#
        )
        #expect(link.form == .appLink)
        #expect(link.targetURL == "http://t.example/?a=%20b&fb_source=feed#x")
        #expect(link.refs == ["outer"])
    }

    @Test func otherJSONBeforeIsNoObstacle() throws {
        let link = try link(
            #"x://a?data={"goods_id":"1"}&al_applink_data={"target_url":"https://e.example&fbclid=C","campaign_ids":"B"}"#
        )
        #expect(link.form == .appLink)
        #expect(link.targetURL == "https://e.example&fbclid=C")
        #expect(link.fbclid == nil)
        #expect(link.paid)
    }

    @Test func bracesInsideStringsDoNotCount() throws {
        let link = try link(#"x://a?al_applink_data={"target_url":"http://t.example/}&\"{","a":{"b":"}"}}&fb_ref=r"#)
        #expect(link.targetURL == #"http://t.example/}&"{"#)
        #expect(link.refs == ["r"])
    }

    @Test func anEscapedSlashIsASlash() throws {
        #expect(try link(appLink(#"{"target_url":"http:\/\/t.example\/"}"#)).targetURL == "http://t.example/")
    }

    @Test(arguments: ["[]", "{}", "null", #""""#, "5"])
    func emptyExtrasOfAnyKindMeanNothing(_ extras: String) throws {
        let link = try link(appLink(#"{"target_url":"http://t.example/","extras":\#(extras)}"#))
        #expect(link.form == .appLink)
        #expect(link.appID == nil)
        #expect(link.promoCode == nil)
    }

    @Test(arguments: [
        ("414127799907383", "414127799907383"), (#""00123""#, "00123"), ("4e2", "400"), ("5.0", "5"),
        ("123456789012345678901234", "123456789012345678901234"),
    ])
    func idsAreStrings(_ json: String, _ expected: String) throws {
        #expect(try link(appLink(#"{"extras":{"fb_app_id":\#(json)}}"#)).appID == expected)
    }

    @Test(arguments: [
        (#"{"url":"fb:///","app_name":"Facebook"}"#, true), (#"{"url":"fb:///"}"#, false),
        (#"{"app_name":"Facebook"}"#, false), (#"{"url":"","app_name":"Facebook"}"#, false),
        (#"{"url":null,"app_name":"Facebook"}"#, false), ("[]", false),
    ])
    func theRefererNeedsBothURLAndName(_ referer: String, _ counts: Bool) throws {
        for key in ["referer_app_link", "referer_data"] {
            let link = try link(appLink(#"{"target_url":"http://t.example/","\#(key)":\#(referer)}"#))
            #expect(link.refererApp == (counts ? "Facebook" : nil))
            #expect(link.refererURL == (counts ? "fb:///" : nil))
        }
    }

    @Test(arguments: [
        #"{"target_url":null,"extras":{"deeplink_context":"{\"promo_code\":\"PROMOWORKS\"}"}}"#,
        #"{"extras":{"deeplink_context":{"promo_code":"PROMOWORKS"}}}"#,
    ])
    func thePromoCodeSitsInsideTheContext(_ json: String) throws {
        #expect(try link(appLink(json)).promoCode == "PROMOWORKS")
    }

    @Test(arguments: [
        #"{"extras":{"deeplink_context":"PROMO"}}"#, #"{"extras":{"promo_code":"PROMO"}}"#, #"{"promo_code":"PROMO"}"#,
        #"{"extras":{"deeplink_context":"[]"}}"#,
    ])
    func elsewhereItIsNone(_ json: String) throws {
        #expect(try link(appLink(json)).promoCode == nil)
    }

    @Test func deferredIsTheInputLessItsData() throws {
        let data = encoded(#"{"target_url":"x://a?view=1&id=2","extras":{"fb_app_id":4}}"#)
        #expect(try link("x://a?view=1&id=2&al_applink_data=\(data)").deferred)
        #expect(try link("x://a?view=1&al_applink_data=\(data)&id=2").deferred)
        #expect(try link("x://a?al_applink_data=\(data)&view=1&id=2").deferred)
        #expect(try !link("x://a?view=1&al_applink_data=\(data)").deferred)
        let bare = encoded(#"{"target_url":"x://a"}"#)
        #expect(try link("x://a?al_applink_data=\(bare)").deferred)
        #expect(try link(#"x://a?v=a b&al_applink_data={"target_url":"x://a?v=a%20b"}"#).deferred)
    }

    @Test func withARefererNothingIsDeferred() throws {
        let json = #"{"target_url":"x://a","referer_app_link":{"url":"fb:///","app_name":"Facebook"}}"#
        #expect(try !link("x://a?al_applink_data=\(encoded(json))").deferred)
        #expect(try link("x://a?al_applink_data=\(encoded(json))&fb_click_time_utc=5").deferred)
    }

    @Test(arguments: [
        (#"{"campaign_ids":"C"}"#, true), (#"{"acs_token":"C"}"#, true), (#"{"ad_id":"5"}"#, true),
        (#"{"ad_id":5}"#, true),
        (#"{"campaign_ids":""}"#, false), (#"{"campaign_ids":null}"#, false), (#"{"campaign_ids":[]}"#, false),
        (#"{"advertiser_id":"5"}"#, false),
    ])
    func adDataMeansPaid(_ json: String, _ paid: Bool) throws {
        #expect(try link(appLink(json)).paid == paid)
    }

    @Test(arguments: [("1", true), ("true", true), (#""1""#, true), ("0", false), (#""0""#, false), ("false", false)])
    func testDeeplinkIsTestTraffic(_ value: String, _ expected: Bool) throws {
        #expect(try link(appLink(#"{"test_deeplink":\#(value)}"#)).testTraffic == expected)
    }

    @Test(arguments: [(#""T""#, true), (#""""#, false), ("null", false), ("{}", false)])
    func aTokenInTheExtrasMeansAuthenticated(_ token: String, _ expected: Bool) throws {
        #expect(
            try link(appLink(#"{"extras":{"fb_access_token":\#(token),"fb_expires_in":"0"}}"#)).authenticated
                == expected
        )
    }

    @Test func stringsThatAreNoTextAreNotThere() throws {
        let link = try link(appLink(#"{"target_url":"http://\u0000/","ref":"\ud800","extras":{"fb_app_id":"1"}}"#))
        #expect(link.form == .appLink)
        #expect(link.refs == [])
        #expect(link.appID == "1")
        #expect(link.targetURL?.hasPrefix("myapp://") == true)
    }

    @Test func jsonTooDeepIsNoAppLink() throws {
        let json = #"{"a":"# + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}"
        #expect(try link(appLink(json)).form == .plain)
    }
}
