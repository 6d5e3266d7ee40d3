import InboundLinks
import Time
import Testing

/// docs/links.md, *Forms of a link*: the table of forms.
@Suite("Forms of a link")
struct LinkFormTests {
    @Test func legacyAuthorizeOfAnAuthenticatedPerson() throws {
        let link = try link("fb123abc://authorize#expires_in=0&access_token=T&target_url=http%3A%2F%2Fa.example%2F")
        #expect(link.form == .legacyAuthorize)
        #expect(link.appID == "123")
        #expect(link.schemeSuffix == "abc")
        #expect(link.authenticated)
        #expect(link.targetURL == "http://a.example/")
        #expect(link.channel == .storyLinks)
        #expect(link.rule == .targetShape)
    }

    @Test func legacyAuthorizeWithoutAToken() throws {
        let link = try link("fb123://authorize#target_url=http%3A%2F%2Fa.example%2F")
        #expect(!link.authenticated)
        #expect(link.schemeSuffix == "")
    }

    @Test(arguments: [
        "fb123://authorize/#target_url=http%3A%2F%2Fa.example%2F",
        "fb123://authorize?target_url=http%3A%2F%2Fa.example%2F",
        "fb123://authorize/?target_url=http%3A%2F%2Fa.example%2F#_=_",
        "FB123://AUTHORIZE#target_url=http%3A%2F%2Fa.example%2F",
        "fb123://authorize#target_url=http%3A%2F%2Fa.example%2F#_=_",
        "  fb123://authorize#target_url=http%3A%2F%2Fa.example%2F\n",
        "fb123://authorize#target_url=http://a.example/",
    ])
    func legacyAuthorizeComesInManySpellings(_ url: String) throws {
        let link = try link(url)
        #expect(link.form == .legacyAuthorize)
        #expect(link.appID == "123")
        #expect(link.targetURL == "http://a.example/")
    }

    @Test func theFragmentWinsOverTheQuery() throws {
        let link = try link(
            "fb1://authorize?target_url=http%3A%2F%2Fq.example%2F&fb_ref=q#target_url=http%3A%2F%2Ff.example"
        )
        #expect(link.targetURL == "http://f.example")
        #expect(link.refs == ["q"])
    }

    @Test func authorizeWithoutATargetIsALinkWithoutATarget() throws {
        let link = try link("fb123://authorize#expires_in=0")
        #expect(link.form == .legacyAuthorize)
        #expect(link.targetURL == nil)
        #expect(link.channel == .unattributed)
        #expect(link.rule == .unattributed)
        #expect(!link.authenticated)
    }

    /// An App Link may come by any scheme, and to any host.
    @Test(arguments: [
        (
            #"al_applink_data={"target_url":"http://a.example/","extras":{"fb_access_token":"T"}}"#,
            InboundLink.Form.appLink
        ),
        (#"fb_applink_args={"method_args":{"target_url":"http://a.example/"}}&access_token=T"#, .applinkArgs),
        (#"al_applink_data={"version":"9"}&target_url=http://a.example/#access_token=T"#, .legacyAuthorize),
    ])
    func authorizeMayCarryAnAppLink(_ parameters: String, form: InboundLink.Form) throws {
        let link = try link("fb123abc://authorize?" + parameters)
        #expect(link.form == form)
        #expect(link.targetURL == "http://a.example/")
        #expect(link.appID == "123")
        #expect(link.schemeSuffix == "abc")
        #expect(link.authenticated)
    }

    @Test func expiresInZeroMeansNothingAboutTheToken() throws {
        #expect(try !link("fb1://authorize#expires_in=0&target_url=x").authenticated)
        #expect(try link("fb1://authorize#expires_in=5183949&access_token=T&target_url=x").authenticated)
        #expect(try !link("fb1://authorize#access_token=&target_url=x").authenticated)
    }

    @Test(arguments: [
        "fb12a3://x", "fbx://x", "fb://x", "fb-messenger://x", "myapp://x", "fb12-a://x", "/relative?a=b",
    ])
    func otherSchemesHaveNoAppID(_ url: String) throws {
        let link = try link(url)
        #expect(link.appID == nil)
        #expect(link.schemeSuffix == nil)
    }

    @Test func theAppIDOfTheSchemeHoldsForEveryForm() throws {
        #expect(try link("fb0012xyz:///").appID == "0012")
        #expect(try link(appLink(#"{"extras":{"fb_app_id":"9"}}"#, scheme: "fb0012")).appID == "0012")
    }

    @Test func appLinksTakeAnyScheme() throws {
        let link = try link(
            "https://a.example/x?al_applink_data=" + encoded(#"{"target_url":"http://t.example/?a=b"}"#)
        )
        #expect(link.form == .appLink)
        #expect(link.targetURL == "http://t.example/?a=b")
    }

    @Test func applinkArgs() throws {
        let json =
            #"{"version":2,"bridge_args":{"method":"applink"},"method_args":{"ref":"foobar","target_url":"http://test.app/foo","extras":{"deeplink_context":{"promo_code":"PROMO1"}},"other":[[1,2],[3,4]]}}"#
        let link = try link("myapp://x?fb_applink_args=\(encoded(json))")
        #expect(link.form == .applinkArgs)
        #expect(link.targetURL == "http://test.app/foo")
        #expect(link.refs == ["foobar"])
        #expect(link.promoCode == "PROMO1")
        #expect(!link.deferred)
        #expect(link.clickedAt == nil)
    }

    @Test func applinkArgsWithoutATargetTakeTheInput() throws {
        let url = "myapp://x?fb_applink_args=" + encoded(#"{"method_args":{}}"#)
        #expect(try link(url).targetURL == url)
        #expect(try link(url).form == .applinkArgs)
    }

    @Test(arguments: [
        #"{"version":3,"method_args":{}}"#, #"{"bridge_args":{"method":"share"},"method_args":{}}"#, "[]", "{", "",
    ])
    func otherApplinkArgsArePlain(_ json: String) throws {
        #expect(try link("myapp://x?fb_applink_args=\(encoded(json))").form == .plain)
    }

    @Test(arguments: [
        ("fb_click_time_utc=1215648000", 1_215_648_000_000_000),
        ("fb_click_time_utc=1700000000", 1_700_000_000_000_000),
        ("fb_click_time_utc=1700000000.25", 1_700_000_000_250_000),
        ("fb_click_time_utc=1700000000123", 1_700_000_000_123_000),
        ("fb_click_time_utc=1700000000123456", 1_700_000_000_123_456),
    ])
    func clickTimeMeansDeferred(_ parameter: String, _ microseconds: Int64) throws {
        let link = try link("myapp://x?\(parameter)")
        #expect(link.deferred)
        #expect(link.clickedAt == Timestamp(microseconds: microseconds))
    }

    /// The iOS SDK appends the time to the text, whatever is in it.
    @Test(arguments: [
        ("shop://open#/soup?fb_click_time_utc=1700000000", "shop://open#/soup"),
        ("shop://open#a?page=2?fb_click_time_utc=1700000000", "shop://open#a?page=2"),
        ("shop://open#/soup?page=2&fb_click_time_utc=1700000000", "shop://open#/soup?page=2"),
        ("shop://open?a=1#top&fb_click_time_utc=1700000000", "shop://open?a=1#top"),
        ("shop://open#?fb_click_time_utc=1700000000", "shop://open#"),
        ("https://a.example/x#y&fb%5Fclick_time_utc=%31700000000", "https://a.example/x#y"),
    ])
    func theClickTimeMayStandBehindAFragment(_ url: String, _ target: String) throws {
        let link = try link(url)
        #expect(link.deferred)
        #expect(link.clickedAt == Timestamp(microseconds: 1_700_000_000_000_000))
        #expect(link.targetURL == target)
        #expect(link.redactedURL == url)
        let other = try linkOfTarget(url)
        #expect(other.deferred)
        #expect(other.clickedAt == link.clickedAt)
        #expect(other.targetURL == target)
    }

    @Test(arguments: [
        "shop://open#/soup?page=2", "shop://open#/soup?fb_click_time_utc=1700000000&page=2",
        "shop://open#fb_click_time_utc=1700000000",
        "shop://open#/soup?fb_click_time_utc=", "shop://open#/soup?xfb_click_time_utc=1700000000",
        "shop://open/fb_click_time_utc=1700000000",
    ])
    func whatElseIsBehindAFragmentIsNoClickTime(_ url: String) throws {
        let link = try link(url)
        #expect(!link.deferred)
        #expect(link.targetURL == url)
    }

    @Test(arguments: ["x", "-5", "99999999999999999999999", "1e9", "0", "123", "1215647999"])
    func aClickTimeThatIsNoneIsStillDeferred(_ value: String) throws {
        let link = try link("myapp://x?fb_click_time_utc=\(value)")
        #expect(link.deferred)
        #expect(link.clickedAt == nil)
    }

    @Test(arguments: [
        "https://apps.facebook.com/ns/?fb_source=feed", "myapp://a/b?fb_source=feed", "/?fb_source=feed",
        "?fb_source=feed", "//apps.facebook.com/ns/?fb_source=feed", "a/b?fb_source=feed",
    ])
    func allElseIsPlainAndItsOwnTarget(_ url: String) throws {
        let link = try link(url)
        #expect(link.form == .plain)
        #expect(link.targetURL == url)
        #expect(link.fbSource == "feed")
        #expect(link.channel == .storyLinks)
        #expect(link.rule == .fbSource)
        #expect(link.redactedURL == url)
    }

    @Test(arguments: [
        "fb1://authorize?error=access_denied&error_reason=user_denied#_=_",
        "fb1://authorize#error_reason=user_denied", "fb1://authorize/#granted_scopes=&access_token=T",
        "fb1://authorize#signed_request=a.b", "fb1://authorize?state=x&code=y", "test://authorize?granted_scopes=a",
        "fb1://authorize#denied_scopes=user_friends&signed_request=a.b&access_token=T&state=%7B%7D",
        "fb1://authorize/#id_token=T&state=%7B%22challenge%22%3A%22a%2520%253Dbcdef%22%7D",
        "https://authorize/?error_code=200", "fb1://authorize?state=x&target_url=",
        "https://shop.example/cb?code=REDACTED&state=REDACTED",
    ])
    func loginResultsAreNoLinks(_ url: String) {
        guard case .loginResult(let redacted) = LinkReader.read(url) else {
            Issue.record("read as a link")
            return
        }
        #expect(redacted.hasPrefix(url.prefix(4)))
    }

    @Test(arguments: [
        "fb1://authorize#state=x&target_url=http%3A%2F%2Fa.example", "fb1://success?state=x",
        "test://test?granted_scopes=public_profile&access_token=sometoken&expires_in=5183949",
        "https://a.example/authorize?state=x",
    ])
    func othersWithSuchParametersAreLinks(_ url: String) throws {
        _ = try link(url)
    }

    @Test func loginResultsLoseTheirSecrets() {
        let url =
            "fb1://authorize/#granted_scopes=a&signed_request=S1.S2&access_token=S3&state=%7B%22challenge%22%3A%22S4%22%7D&code=S5&error_code=200"
        #expect(
            LinkReader.read(url)
                == .loginResult(
                    redactedURL:
                        "fb1://authorize/#granted_scopes=a&signed_request=REDACTED&access_token=REDACTED&state=REDACTED&code=REDACTED&error_code=200"
                )
        )
    }

    @Test(arguments: ["", " ", "\n\t ", "not a url", "...", "://x", "a\u{0}b", "-"])
    func nothingThatCouldBeAURLIsInvalid(_ text: String) {
        #expect(LinkReader.read(text) == .invalid(redactedURL: text))
    }
}

private func linkOfTarget(_ target: String) throws -> InboundLink {
    try link("fb1://authorize#target_url=\(encoded(target))")
}
