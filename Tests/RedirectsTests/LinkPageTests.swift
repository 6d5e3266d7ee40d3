import Foundation
import JSONReading
import Testing
import Time

@testable import Redirects

@Suite("The pages of links")
struct LinkPageTests {
    private func html(_ agent: String, _ settings: String = "{}") throws -> String {
        var given = TrialSettings()
        try given.read(try JSONDocument(reading: settings.utf8).root)
        let visitor = Visitor(method: "GET", target: given.path, headers: [("User-Agent", agent)])
        let redirect = try LinkTrial(settings: given, visitor: visitor).redirect(now: .init(microseconds: 0))
        return try #require(redirect.html(nonce: "n0nce"))
    }

    /// The tags of a crawler's page, as a reader of previews finds them.
    private func tags(_ settings: String = "{}") throws -> [String: String] {
        let html = try html("Twitterbot/1.0", settings)
        let head = String(decoding: html.utf8.prefix(4096), as: UTF8.self)
        var tags: [String: String] = [:]
        for part in head.components(separatedBy: "<meta ").dropFirst() {
            let pieces = part.components(separatedBy: "\"")
            guard pieces.count > 3, pieces[2] == " content=" else { continue }
            #expect(tags.updateValue(pieces[3], forKey: pieces[1]) == nil, "\(pieces[1])")
        }
        return tags
    }

    @Test func tellPreviewsAboutTheLink() throws {
        let tags = try tags(
            #"{"title":"Soup & \"bread\"","description":"D","image_url":"https://i.example/a.png","app":"123"}"#
        )
        #expect(tags["og:url"] == "https://links.example.com/abc")
        #expect(tags["og:title"] == "Soup &amp; &quot;bread&quot;")
        #expect(tags["og:description"] == "D")
        #expect(tags["og:image"] == "https://i.example/a.png")
        #expect(tags["og:type"] == "website")
        #expect(tags["og:site_name"] == "Example")
        #expect(tags["fb:app_id"] == "123")
        #expect(tags["twitter:card"] == "summary_large_image")
        #expect(tags["al:web:url"] == "https://links.example.com/abc")
        #expect(tags["al:web:should_fallback"] == "true")
        #expect(!tags.keys.contains { $0.hasPrefix("al:ios") || $0.hasPrefix("al:android") })
    }

    @Test func takeTheTitleFromTheApp() throws {
        let tags = try tags(#"{"app_name":"Shop","slug":"über"}"#)
        #expect(tags["og:title"] == "Shop")
        #expect(tags["og:url"] == "https://links.example.com/%C3%BCber")
        #expect(tags["twitter:card"] == "summary")
        #expect(tags["fb:app_id"] == nil)
    }

    @Test func tellFacebookHowToOpenTheApp() throws {
        let app = #""app_url":"myapp://item/42""#
        var tags = try tags("{\(app)}")
        #expect(tags["al:iphone:app_store_id"] == "111111111")
        #expect(tags["al:ipad:app_store_id"] == "222222222")
        #expect(tags["al:iphone:url"] == "myapp://item/42")
        #expect(tags["al:android:package"] == "com.example.app")
        #expect(tags["al:android:url"] == "myapp://item/42")
        #expect(tags["al:web:should_fallback"] == "false")
        #expect(tags["al:ios:url"] == nil)

        tags = try self.tags(#"{\#(app),"ipad_store_id":null,"fallback":"web"}"#)
        #expect(tags["al:ios:app_store_id"] == "111111111")
        #expect(tags["al:ios:app_name"] == "Example")
        #expect(tags["al:iphone:url"] == nil)
        #expect(tags["al:web:should_fallback"] == "true")

        tags = try self.tags(#"{\#(app),"ipad_store_id":"0","android_package":"0"}"#)
        #expect(tags["al:iphone:url"] == "myapp://item/42")
        #expect(!tags.keys.contains { $0.hasPrefix("al:ipad") || $0.hasPrefix("al:ios") || $0.hasPrefix("al:android") })

        tags = try self.tags(#"{\#(app),"deep_linking":false}"#)
        #expect(!tags.keys.contains { $0.hasPrefix("al:i") || $0.hasPrefix("al:a") })
    }

    @Test func keepTheTagsWithin4KB() throws {
        let long = String(repeating: "&", count: 1024)
        let settings = #"{"title":"\#(long.prefix(256))","description":"\#(long)","site_name":"\#(long.prefix(256))"}"#
        let html = try html("Twitterbot/1.0", settings)
        let head = try #require(html.range(of: "<title>"))
        #expect(html[..<head.lowerBound].utf8.count <= 4096)
        #expect(try tags(settings)["og:title"] != nil)
        #expect(try tags(settings)["og:description"] == nil)
    }

    /// An app without its address is none, and a reader that finds no app must open the browser.
    @Test func leaveOutAnAppAsAWhole() throws {
        let long = String(repeating: "a", count: 1000)
        let title = String(repeating: "\"", count: 256).replacing("\"", with: "\\\"")
        let app = #""title":"\#(title)","app_url":"myapp://\#(long)""#
        var tags = try tags("{\(app)}")
        #expect(tags["al:iphone:url"] != nil && tags["al:iphone:app_store_id"] != nil)
        #expect(tags["al:web:should_fallback"] == "false")
        #expect(!tags.keys.contains { $0.hasPrefix("al:android") })

        let ampersands = String(repeating: "&", count: 1000)
        tags = try self.tags(#"{"app_url":"myapp://\#(ampersands)","image_url":"https://i.example/\#(long)"}"#)
        #expect(Set(tags.keys.filter { $0.hasPrefix("al:") }) == ["al:web:url"])
        #expect(tags["twitter:card"] == "summary_large_image")
    }

    static let hostile = #"<script>\"'&\"\u0301 onload=x"#

    @Test(arguments: [
        "Twitterbot/1.0", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Mobile/15E148",
        "Mozilla/5.0 (Linux; Android 12; wv) Chrome/111.0 Mobile",
        "Mozilla/5.0 (Macintosh) Version/18.1 Safari/605.1.15",
    ])
    func escapeEveryText(agent: String) throws {
        let settings = #"""
            {"title":"\#(Self.hostile)","description":"\#(Self.hostile)","app_name":"\#(Self.hostile)",
            "site_name":"\#(Self.hostile)","og_type":"\#(Self.hostile)","app_url":"myapp://\"><script>",
            "target_url":"https://www.example.com/\"'><script>"}
            """#
        let html = try html(agent, settings)
        #expect(!html.contains("<script>"))
        // Byte by byte: Swift takes a quotation mark with an accent for another character.
        let raw = html.replacing("nonce=\"n0nce\"", with: "").utf8
        let quotes = [UInt8]("\"".utf8) + [UInt8]("\u{301}".utf8)
        #expect(!Data(raw).contains(Data(quotes)))
        #expect(html.contains("&lt;script&gt;&quot;&#39;&amp;&quot;\u{301} onload=x"))
    }

    @Test func loadNothingAndRunNothingButTheirOwn() throws {
        for agent in [
            "Twitterbot/1.0", "Mozilla/5.0 (iPhone) Mobile/15E148", "Mozilla/5.0 (Macintosh) Version/18.1 Safari/6",
        ] {
            let html = try html(agent, #"{"image_url":"https://i.example/a.png"}"#)
            for word in ["src=", "@import", "url(", "<link rel=\"stylesheet", "<iframe", " style=", "onclick"] {
                #expect(!html.contains(word), "\(word)")
            }
            let own = html.components(separatedBy: "<script nonce=\"n0nce\">").count
            #expect(html.components(separatedBy: "<script").count == own)
        }
    }

    @Test func haveStrictHeaders() throws {
        let visitor = Visitor(method: "GET", target: "/nothing", headers: [])
        let redirect = Redirect.notFound(visitor, app: LinkApp(id: "shop", name: "Shop"))
        let headers = Dictionary(
            uniqueKeysWithValues: LinkHeaders.all(redirect, nonce: "n0nce").map { ($0.name, $0.value) }
        )
        #expect(headers["Cache-Control"] == "no-store")
        #expect(headers["X-Robots-Tag"] == "noindex")
        #expect(headers["X-Frame-Options"] == "DENY")
        #expect(headers["Referrer-Policy"] == "strict-origin")
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers["Location"] == nil)
        #expect(headers["Set-Cookie"] == nil)
    }

    @Test func leaveTheCheckWithoutScripts() throws {
        let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15"
        let html = try html(mac)
        let refresh = "<meta http-equiv=\"refresh\" content=\"0;url=https://www.example.com/item/42\">"
        #expect(html.contains("<noscript>\(refresh)</noscript>"))
        #expect(html.contains("id=\"app\" href=\"https://apps.apple.com/app/id222222222\""))
        #expect(try self.html(mac, #"{"app_url":"myapp://x"}"#).contains("<main id=\"touch\" hidden>"))
        #expect(!(try self.html(mac, #"{"target_url":null,"mobile_url":null}"#).contains("http-equiv")))
    }

    @Test func nameTheAppsOfAHost() throws {
        var app = LinkApp(id: "shop", name: "Shop")
        #expect(AssociationFiles.apple(app) == nil)
        #expect(AssociationFiles.android(app) == nil)
        app.appleTeamID = "ABCDE12345"
        app.bundleIDs = ["com.example.app", "com.example.beta"]
        app.androidPackage = "com.example.app"
        app.androidCertificates = ["AA:BB"]
        let apple = try JSONDocument(reading: try #require(AssociationFiles.apple(app)).utf8).root
        let details = try #require(apple["applinks"]?["details"]?.elements.map { $0 }.first)
        #expect(
            details["appIDs"]?.elements.compactMap(\.string) == [
                "ABCDE12345.com.example.app", "ABCDE12345.com.example.beta",
            ]
        )
        let components = try #require(details["components"]).elements.map { $0 }
        #expect(components.last?["/"]?.string == "/?*")
        #expect(components.last?["exclude"] == nil)
        #expect(components.dropLast().allSatisfy { $0["exclude"]?.bool == true })
        let android =
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
            + #""package_name":"com.example.app","sha256_cert_fingerprints":["AA:BB"]}}]"#
        #expect(AssociationFiles.android(app) == android)
        app.deepLinking = false
        #expect(AssociationFiles.apple(app) == nil)
    }
}
