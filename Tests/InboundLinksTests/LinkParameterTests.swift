import InboundLinks
import Time
import Testing

/// docs/links.md, *How a link is read*: the reading rules for parameters.
@Suite("Parameters of a link")
struct LinkParameterTests {
    @Test func ofADuplicateKeyTheLastWins() throws {
        #expect(try link("x://a?fb_source=feed&fb_source=search").fbSource == "search")
        #expect(try link("x://a?fb_source=feed&fb_source=").fbSource == nil)
    }

    @Test(arguments: ["%ZZ", "%", "%4", "%FF", "%C3%28", "a%00b"])
    func aPairThatCannotBeDecodedIsDroppedAlone(_ value: String) throws {
        let link = try link("x://a?fb_source=feed&fb_source=\(value)&fb_ref=r&%ZZ=1")
        #expect(link.fbSource == "feed")
        #expect(link.refs == ["r"])
    }

    @Test func plusIsASpaceInQueryValues() throws {
        #expect(try link("x://a?fb_ref=a+b").refs == ["a b"])
        #expect(try link("x://a?fb_ref=a%2Bb").refs == ["a+b"])
    }

    @Test func valuesAreDecodedOnce() throws {
        #expect(try link("x://a?fb_ref=a%252Fb").refs == ["a%2Fb"])
        let nested = "http://t.example/?u=" + encoded("http://u.example/?a=b")
        #expect(try link("fb1://authorize#target_url=\(encoded(nested))").targetURL == nested)
    }

    @Test func keysMayBeEncoded() throws {
        #expect(try link("x://a?fb%5Fsource=feed").fbSource == "feed")
    }

    @Test func anUnencodedTargetLeavesItsParametersBesideIt() throws {
        let link = try link(
            "fb123://authorize#expires_in=0&access_token=12345&target_url=http://target-url.com/?deeplink=1&fb_action_types=action1,action2&fb_source=source&fb_ref=ref1,ref2"
        )
        #expect(link.targetURL == "http://target-url.com/?deeplink=1")
        #expect(link.actionTypes == ["action1", "action2"])
        #expect(link.fbSource == "source")
        #expect(link.refs == ["ref1", "ref2"])
        #expect(link.channel == .storyLinks)
        #expect(link.rule == .storyParameters)
    }

    @Test func theTargetsOwnQueryWins() throws {
        let target = encoded("http://t.example/?fb_source=feed&fb_ref=inner")
        let link = try link("fb1://authorize#target_url=\(target)&fb_source=search&fb_ref=outer&fb_action_ids=1")
        #expect(link.fbSource == "feed")
        #expect(link.refs == ["inner"])
        #expect(link.actionIDs == ["1"])
    }

    @Test func fragmentParametersCountOnlyForAuthorize() throws {
        #expect(try link("x://open#fb_source=feed").fbSource == nil)
        #expect(try link("x://open?a=b#fb_source=feed").fbSource == nil)
        #expect(try link("fb1://authorize#target_url=" + encoded("http://t.example/#fb_source=feed")).fbSource == nil)
        #expect(try link("fb1://authorize#fb_source=feed&target_url=x").fbSource == "feed")
    }

    @Test func listsAreSplitAtCommas() throws {
        let link = try link(
            "https://apps.facebook.com/ns/?request_ids=784%2C426%2C%20436,&fb_action_ids=1,2&fb_action_types=og.likes%2Cns%3Averb"
        )
        #expect(link.requestIDs == ["784", "426", "436"])
        #expect(link.actionIDs == ["1", "2"])
        #expect(link.actionTypes == ["og.likes", "ns:verb"])
    }

    @Test func fbclidAloneProvesNothing() throws {
        let link = try link("https://a.example/?fbclid=IwAR0")
        #expect(link.fbclid == "IwAR0")
        #expect(link.channel == .unattributed)
        #expect(!link.paid)
    }

    @Test(arguments: ["campaign_ids=1", "acs_token=1", "ad_id=1"])
    func adParametersMeanPaid(_ parameter: String) throws {
        #expect(try link("x://a?\(parameter)").paid)
        #expect(try link("x://a?\(parameter)").channel == .unattributed)
        #expect(try link("fb1://authorize#target_url=" + encoded("http://t.example/?\(parameter)")).paid)
    }

    @Test(arguments: [("1", true), ("true", true), ("yes", true), ("0", false), ("false", false), ("", false)])
    func testDeeplinkIsTestTrafficWhereTruthy(_ value: String, _ expected: Bool) throws {
        #expect(try link("x://a?test_deeplink=\(value)").testTraffic == expected)
    }

    @Test func explicitValuesWinBeforeClassification() throws {
        let overrides = LinkOverrides(
            targetURL: "https://apps.facebook.com/ns/",
            refs: ["mine", " ", "no_ref_specified", "mine"],
            refererApp: "Facebook",
            refererURL: "fb:///",
            authenticated: false,
            deferred: false,
            clickedAt: Timestamp(microseconds: 7),
            paid: true
        )
        let link = try link("x://a?access_token=T&fb_ref=theirs&fb_click_time_utc=123", overrides)
        #expect(link.form == .plain)
        #expect(link.targetURL == "https://apps.facebook.com/ns/")
        #expect(link.refs == ["mine"])
        #expect(link.rule == .storyParameters)
        #expect(!link.authenticated)
        #expect(!link.deferred)
        #expect(link.clickedAt == Timestamp(microseconds: 7))
        #expect(link.paid)
        #expect(link.refererApp == "Facebook")
        #expect(try InboundLinksTests.link("x://a", overrides).channel == .storyAttribution)
        #expect(try InboundLinksTests.link("x://a", LinkOverrides(channel: .search)).rule == .explicit)
    }

    @Test func anEventWithoutAURLIsReadFromItsTarget() {
        let link = LinkReader.read(
            LinkOverrides(targetURL: "https://t.example/?fb_source=search&fb_ref=r&request_ids=&access_token=SECRET")
        )
        #expect(link.form == .plain)
        #expect(link.redactedURL == nil)
        #expect(link.targetURL == "https://t.example/?fb_source=search&fb_ref=r&request_ids=&access_token=REDACTED")
        #expect(link.channel == .search)
        #expect(link.refs == ["r"])
        #expect(!link.authenticated)
    }

    @Test func anEventWithAChannelAloneHasNoTarget() {
        let link = LinkReader.read(LinkOverrides(channel: .bookmarks))
        #expect(link.targetURL == nil)
        #expect(link.channel == .bookmarks)
        #expect(link.rule == .explicit)
        #expect(LinkReader.read(.none).channel == .unattributed)
    }

    @Test func everyFieldIsRedacted() throws {
        let secret = "https://u.example/?access_token=SECRET"
        let json =
            #"{"target_url":"\#(secret)","ref":"\#(secret)","extras":{"fb_app_id":"\#(secret)","fb_access_token":"SECRET","deeplink_context":{"promo_code":"\#(secret)"}},"referer_app_link":{"url":"\#(secret)","app_name":"\#(secret)"},"acs_token":"SECRET"}"#
        let value = encoded(secret)
        let url =
            appLink(json) + "&fb_source=\(value)&fbclid=\(value)&fb_action_ids=\(value)&fb_action_types=\(value)"
            + "&request_ids=\(value)"
        let link = try link(url)
        #expect(link.authenticated)
        #expect(link.paid)
        #expect(link.promoCode == "https://u.example/?access_token=REDACTED")
        #expect(!"\(link)".contains("SECRET"))
        #expect(try !"\(InboundLinksTests.link("x://a?fb_ref=\(value)"))".contains("SECRET"))
        let stated = LinkOverrides(targetURL: secret, refs: [secret], refererApp: secret, refererURL: secret)
        #expect(try !"\(InboundLinksTests.link("x://a", stated))".contains("SECRET"))
        #expect(!"\(LinkReader.read(stated))".contains("SECRET"))
    }
}
