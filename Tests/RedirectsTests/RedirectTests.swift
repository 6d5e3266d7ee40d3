import JSONReading
import Testing
import Time

@testable import Redirects

@Suite("Where visitors go")
struct RedirectTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.4 Mobile/15E148 Safari/604.1"
    private static let android = "Mozilla/5.0 (Linux; Android 13; Pixel 7a) Chrome/111.0.0.0 Mobile Safari/537.36"
    private static let desktop = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/111.0.0.0 Safari/537.36"

    private func redirect(
        _ agent: String = desktop,
        _ settings: String = "{}",
        path: String = "/abc",
        headers: [(name: String, value: String)] = [],
        method: String = "GET"
    ) throws -> Redirect {
        var given = TrialSettings()
        try given.read(try JSONDocument(reading: settings.utf8).root)
        let visitor = Visitor(method: method, target: path, headers: [("User-Agent", agent)] + headers)
        return try LinkTrial(settings: given, visitor: visitor)
            .redirect(now: Timestamp(microseconds: 1_790_000_000_000_000))
    }

    @Test(arguments: [
        ("https://w.example/", "x=1", "https://w.example/?x=1"),
        ("https://w.example", "x=1", "https://w.example?x=1"),
        ("https://w.example/?", "x=1", "https://w.example/?x=1"),
        ("https://w.example/?a=1&", "x=1", "https://w.example/?a=1&x=1"),
        ("https://w.example/?a=1#f", "a=2&x=1", "https://w.example/?a=1&x=1#f"),
        ("https://w.example/?%61=1", "a=2", "https://w.example/?%61=1"),
        ("https://w.example/#f?x", "x&y=&&z=%zz", "https://w.example/?x&y=&z=%zz#f?x"),
        ("https://w.example/", "q=a+b%20c&q=%C3%BC", "https://w.example/?q=a+b%20c&q=%C3%BC"),
        ("https://w.example/ü", "q=ü", "https://w.example/%C3%BC?q=%C3%BC"),
        ("https://w.example/", "q=a b\r\nX: y", "https://w.example/?q=a%20b%0D%0AX:%20y"),
        ("https://w.example/", "", "https://w.example/"),
        ("https://w.example/", "x=1&click_id=0199f0a4-5b7c-7d3e-8f01-23456789abcd", "https://w.example/?x=1"),
        ("https://w.example/", "cl%69ck_id=other", "https://w.example/"),
    ])
    func passesParametersOnAsTheyCame(url: String, query: String, location: String) throws {
        let redirect = try redirect(Self.desktop, #"{"target_url":"\#(url)"}"#, path: "/abc?" + query)
        #expect(redirect.location == location)
    }

    @Test func appendsTheClickWhereAskedFor() throws {
        let settings = #"{"append_click_id":true}"#
        let page = "https://www.example.com/item/42"
        #expect(try redirect(Self.desktop, settings).location == page + "?click_id={click_id}")
        let visitor = try redirect(Self.desktop, settings, path: "/abc?click_id=other&x=1")
        #expect(visitor.location == page + "?x=1&click_id={click_id}")
        #expect(try redirect(Self.desktop, settings, headers: [("DNT", "1")]).location == page)
        #expect(try redirect(Self.desktop, settings, method: "HEAD").location == page)
        #expect(try redirect("Googlebot/2.1", settings).location == page)
    }

    @Test func givesTheClickToThePlayStore() throws {
        let redirect = try redirect(Self.android, #"{"ref":"a b&c","campaign":"Frühling"}"#)
        #expect(
            redirect.location
                == "https://play.google.com/store/apps/details?id=com.example.app&referrer=click_id%3D{click_id}"
                + "%26utm_source%3Da%2520b%2526c%26utm_medium%3Dlink%26utm_campaign%3DFr%25C3%25BChling"
        )
    }

    @Test func opensTheAppByAnIntent() throws {
        let redirect = try redirect(Self.android, #"{"app_url":"myapp://item/42#top"}"#)
        guard case .interstitial(let page)? = redirect.page else {
            Issue.record("no page")
            return
        }
        let fallback = "https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.example.app%26referrer%3D"
        #expect(
            page.buttons[0].address.hasPrefix(
                "intent://item/42?click_id={click_id}#top#Intent;scheme=myapp;package=com.example.app;"
                    + "S.browser_fallback_url=\(fallback)"
            )
        )
        #expect(page.buttons[0].address.hasSuffix(";end"))
        let labels = ["Open in Example", "Get the app: Google Play", "Continue on the web"]
        #expect(page.buttons.map(\.label.text) == labels)
        #expect(page.buttons.map(\.isFirst) == [true, false, false])
    }

    @Test func ordersTheButtonsByTheFallback() throws {
        let redirect = try redirect(Self.iPhone, #"{"app_url":"myapp://item/42?a=1","fallback":"web"}"#)
        guard case .interstitial(let page)? = redirect.page else {
            Issue.record("no page")
            return
        }
        #expect(page.buttons.map(\.label.text) == ["Open in Example", "Continue on the web", "Get the app: App Store"])
        #expect(page.buttons[0].address == "myapp://item/42?a=1&click_id={click_id}")
    }

    @Test(arguments: [
        ("GET", [], Hit.click, 302), ("HEAD", [], .head, 302),
        ("GET", [("Sec-Fetch-Dest", "document")], .click, 302), ("GET", [("Sec-Fetch-Dest", "iframe")], .embed, 302),
        ("GET", [("Sec-Purpose", "prefetch")], .prefetch, 503), ("POST", [], .none, 405),
    ])
    func count(method: String, headers: [(String, String)], hit: Hit, status: Int) throws {
        let redirect = try redirect(headers: headers.map { (name: $0.0, value: $0.1) }, method: method)
        #expect(redirect.hit == hit)
        #expect(redirect.status == status)
    }

    @Test func endWithTheLink() throws {
        for agent in [Self.desktop, "Twitterbot/1.0", "Googlebot/2.1"] {
            #expect(try redirect(agent, #"{"disabled":true}"#).status == 410)
            let elsewhere = try redirect(agent, #"{"disabled":true,"expired_url":"https://e.example/"}"#)
            #expect(elsewhere.location == "https://e.example/")
            #expect(elsewhere.outcome == .expired)
            #expect(elsewhere.hit == .none)
        }
        #expect(try redirect(Self.desktop, #"{"expires_at":"2999-01-01T00:00:00Z"}"#).outcome == .webDesktop)
    }

    @Test(arguments: [
        ("https://news.example/a?user=ann#x", "https://news.example"), ("https://n.example:8443/", "https://n.example"),
        ("android-app://com.google.android.gm/", "android-app://com.google.android.gm"), ("about:blank", nil),
        ("https://me:pw@n.example/", nil),
    ])
    func keepTheOriginOfTheReferer(referer: String, origin: String?) throws {
        #expect(try redirect(headers: [("Referer", referer)]).refererURL == origin)
        #expect(try redirect(headers: [("Referer", referer), ("Sec-GPC", "1")]).refererURL == nil)
    }

    @Test func sendMacsToTheCheckOnlyForAnIPadApp() throws {
        let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15"
        #expect(try redirect(mac).outcome == .iPadCheckPage)
        #expect(try redirect(mac, #"{"ipad_store_id":null}"#).outcome == .iPadCheckPage)
        #expect(try redirect(mac, #"{"fallback":"web"}"#).outcome == .webDesktop)
        #expect(try redirect(mac, #"{"fallback":"web","app_url":"myapp://x"}"#).outcome == .iPadCheckPage)
        #expect(try redirect(mac, #"{"deep_linking":false}"#).outcome == .webDesktop)
    }
}
