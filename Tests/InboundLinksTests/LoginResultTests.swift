import InboundLinks
import Testing

/// docs/links.md, *Login results* and the link shim.
@Suite("Login results and shims")
struct LoginResultTests {
    private static let code = "AQDx0123456789abcdefghij"

    @Test(arguments: [
        "fb1://authorize#access_token=T", "fb1abc://authorize/?code=C", "https://authorize/?state=S",
        "fb1://authorize#id_token=J", "fb1://authorize#authentication_token=J", "fb1://authorize?granted_scopes=a",
        "fb1://authorize?signed_request=a.b", "fb1://authorize?error=access_denied", "FB1://AUTHORIZE?error_reason=x",
        "fbconnect://success#access_token=T&expires_in=5", "fbconnect://success?error_code=4201",
        "fbconnect://cancel?error_reason=user_denied", "FBConnect://success?code=C",
        "https://a.example/cb?code=SHORT&state=S#_=_", "https://a.example/cb?code=\(code)&state=S",
        "https://a.example/cb?state=S&code=\(code)&x=1", "myapp://cb?code=\(code)&error=e",
        "/cb?code=SHORT&error_reason=x#_=_",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F%3Fcode%3D\(code)%26state%3DS&h=H",
        #"x://y?al_applink_data={"target_url":"https://a.example/","extras":{"fb_login":{"code":"C"}}}"#,
        #"x://y?al_applink_data={"extras":{"fb_login":"{\"access_token\":\"T\"}"}}"#,
        appLink(#"{"version":"1.0","extras":{"fb_login":{"signed_request":"a.b","state":"S"}}}"#),
        appLink(#"{"target_url":null,"extras":{"fb_login":"granted_scopes=a&code=C"}}"#),
    ])
    func areRecognised(_ url: String) {
        #expect(LinkReader.read(url).kind == "login_result")
    }

    @Test(arguments: [
        "fb1://authorize#access_token=T&target_url=x", "fb1://authorize#expires_in=0", "fbconnect://success?post_id=1",
        "https://a.example/?code=SUMMER24", "https://a.example/?code=SUMMER24&state=CA",
        "https://a.example/?code=\(code)",
        "https://a.example/?code=\(code)&state=S&fb_ref=r", "https://a.example/?code=\(code)&state=S&fbclid=F#_=_",
        "https://a.example/?code=C&state=S&fb_anything=1#_=_", "https://a.example/?error=access_denied&state=S#_=_",
        "https://a.example/?state=S&promo_code=\(code)",
        "https://a.example/?code=\(code)&state=S&al_applink_data=%7B%7D",
        appLink(#"{"extras":{"fb_login":null}}"#), appLink(#"{"extras":{"fb_login":""}}"#),
        appLink(#"{"extras":{"a":"fb_login"}}"#),
    ])
    func linksAreNot(_ url: String) {
        #expect(LinkReader.read(url).kind == "inbound_link")
    }

    @Test(arguments: [
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET&s=1",
        "http://lm.facebook.com/l.php?h=AT0SECRET&u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://l.messenger.com/l.php?u=https://shop.example/soup?fb_ref=r&a=1&h=AT0SECRET&s=1",
        "https://L.Instagram.com/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.instagram.com/any/path?u=https://shop.example/soup?fb_ref=r&a=1&e=AT0SECRET",
        "https://l.threads.com/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.threads.net?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://l.messenger.com/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://facebook.com/flx/warn/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET&s=1",
        "https://www.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET",
        "https://m.facebook.com/flx/warn/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://web.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://mbasic.facebook.com/flx/warn/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "http://touch.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1",
        "https://l.wl.co/l?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.wl.co/l/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.wl.co./l?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.facebook.com/l.php/?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET",
        "https://l.facebook.com.:443/l.php?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET",
        "https://facebook.com/flx/warn?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&h=AT0SECRET",
        "https://l.instagram.com./?u=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Dr%26a%3D1&e=AT0SECRET",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fl.instagram.com%2F%3Fu%3Dhttps%253A%252F%252Fshop.example%252Fsoup%253Ffb_ref%253Dr%2526a%253D1",
    ])
    func aShimStandsForItsLink(_ shim: String) throws {
        let plain = try link("https://shop.example/soup?fb_ref=r&a=1")
        #expect(try link(shim) == plain)
        #expect(try link(appLink(#"{"target_url":"\#(shim)"}"#)).targetURL == plain.targetURL)
        #expect(try link("fb1://authorize#target_url=\(encoded(shim))").targetURL == plain.targetURL)
        #expect(LinkReader.read(LinkOverrides(targetURL: shim)).targetURL == plain.targetURL)
        #expect(StoryLink.normalised(shim) == "https://shop.example/soup?a=1")
    }

    @Test(arguments: [
        "https://l.facebook.com/l.php", "https://l.facebook.com/l.php?u=", "https://l.facebook.com/l.php?u=%zz",
        "https://l.facebook.com/l.php?u=%2Frelative",
        "https://l.facebook.com.evil.example/l.php?u=https%3A%2F%2Fa.example",
        "https://x.facebook.com/l.php?u=https%3A%2F%2Fa.example",
        "https://www.facebook.com/sharer.php?u=https%3A%2F%2Fa.example",
        "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fa.example",
        "https://www.facebook.com/?u=https%3A%2F%2Fa.example", "https://l.facebook.com/x?u=https%3A%2F%2Fa.example",
        "https://www.facebook.com/flx/warn/x?u=https%3A%2F%2Fa.example",
        "https://www.instagram.com/l.php?u=https%3A%2F%2Fa.example",
        "https://l.wl.co/other?u=https%3A%2F%2Fa.example", "https://wl.co/l?u=https%3A%2F%2Fa.example",
        "https://l.wl.co/l/x?u=https%3A%2F%2Fa.example", "https://l.wl.co../l?u=https%3A%2F%2Fa.example",
        "https://l.wl.co/?u=https%3A%2F%2Fa.example",
        "https://l.wl.co/l?e=AT0", "https://l.wl.co.example/l?u=https%3A%2F%2Fa.example",
        "https://threads.net/?u=https%3A%2F%2Fa.example", "https://l.threads.net/?v=https%3A%2F%2Fa.example",
        "https://l.facebook.com/l.php?u=shop%3A%2F%2Fsoup", "shop://l.facebook.com/l.php?u=https%3A%2F%2Fa.example",
    ])
    func otherPagesAreNoShims(_ url: String) throws {
        #expect(try link(url).targetURL == url)
    }

    @Test(arguments: ["about:blank", "(direct)", "About:Blank", "about:srcdoc", "(none)", "null", "-", " "])
    func noRefererIsNone(_ text: String) throws {
        let link = try link("https://a.example/", LinkOverrides(refererApp: text, refererURL: text))
        #expect(link.refererApp == nil)
        #expect(link.refererURL == nil)
        #expect(link.channel == .unattributed)
    }
}
