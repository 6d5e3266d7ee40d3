import Events
import Foundation
import JSONReading
import Testing
import Time

@testable import Redirects

/// docs/redirects.md, *Carried by the visitor*.
@Suite("Pages from which visitors carry their click")
struct GetAppPageTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.4 Mobile/15E148 Safari/604.1"
    private static let facebook =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBAV/536.0]"
    private static let macSafari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15"
    private static let clickID = "0199f0a4-5b7c-7d3e-8f01-23456789abcd"
    private static let code = CarryCode(EventID(high: 0, low: 0x8f01_2345_6789_abcd))

    private func redirect(
        _ settings: String,
        agent: String = iPhone,
        method: String = "GET",
        headers: [(name: String, value: String)] = []
    ) throws -> Redirect {
        var given = TrialSettings()
        try given.read(try JSONDocument(reading: settings.utf8).root)
        let (link, app) = try given.checked()
        return .decide(
            Visitor(method: method, target: "/abc?x=1", headers: [("User-Agent", agent)] + headers),
            link: link,
            app: app,
            clickID: Self.clickID,
            now: Timestamp(microseconds: 0)
        )
    }

    private func html(_ settings: String, agent: String = iPhone, _ headers: [(name: String, value: String)] = [])
        throws -> String
    {
        try #require(try redirect(settings, agent: agent, headers: headers).html(nonce: "n0nce"))
    }

    @Test func carriesTheLinkAndTheCode() throws {
        let copied = "data-copied=\"https://links.example.com/abc?click_id=\(Self.clickID)\""
        let letters = "<span>\(Self.code.groups[0])</span> <span>\(Self.code.groups[1])</span>"
        for (carry, copies, shows) in [("paste", true, false), ("code", false, true), ("both", true, true)] {
            for (agent, more) in [
                (Self.iPhone, ""), (Self.facebook, ""), (Self.facebook, #","app_url":"shop://x","associated":true"#),
                (Self.iPhone, #","app_url":"shop://x""#), (Self.facebook, #","app_url":"shop://x","fallback":"web""#),
            ] {
                let html = try html(#"{"ios_carry":"\#(carry)"\#(more)}"#, agent: agent)
                let button = try #require(html.split(separator: "\n").first { $0.hasPrefix("<a id=\"get\"") })
                #expect(button.contains("href=\"https://apps.apple.com/app/id111111111\""))
                #expect(button.contains(copied) == copies)
                #expect(html.contains("<script nonce=\"n0nce\">") == copies)
                #expect(html.contains("id=\"copy\" class=\"note\" hidden") == copies)
                #expect(html.contains(letters) == shows)
            }
        }
    }

    /// Inside of an app's browser the page is there with every setting.
    @Test(arguments: ["", #","app_url":"shop://x""#])
    func areAsWithoutForThoseWhoCarryNothing(more: String) throws {
        let off = try html(#"{"ios_carry":"off"\#(more)}"#, agent: Self.facebook)
        for part in ["<div>", "<script", "data-copied", "id=\"get\""] { #expect(!off.contains(part)) }
        func both(_ more: String, _ headers: [(name: String, value: String)]) throws -> String? {
            try redirect(#"{"ios_carry":"both"\#(more)}"#, agent: Self.facebook, headers: headers).html(nonce: "n0nce")
        }
        #expect(try both(more, [("Sec-Fetch-Dest", "image")])?.contains("<script") == false)
        let objecting = try html(#"{"ios_carry":"off"\#(more)}"#, agent: Self.facebook, [("DNT", "1")])
        #expect(try both(more, [("DNT", "1")]) == objecting)
        // Nothing leads to the App Store.
        let unlisted = #","app_url":"shop://x","iphone_store_id":"0""#
        let page = try #require(try both(unlisted, []))
        #expect(try html(#"{"ios_carry":"off"\#(unlisted)}"#, agent: Self.facebook) == page)
    }

    @Test func isARedirectForThoseWhoObject() throws {
        for header in ["Sec-GPC", "DNT"] {
            let redirect = try redirect(#"{"ios_carry":"both"}"#, headers: [(header, "1")])
            #expect(redirect.outcome == .storeIPhone)
            #expect(redirect.isCounted && redirect.sharedClickID == nil)
        }
    }

    /// There is no click that they could carry.
    @Test func carriesNothingForOthers() throws {
        for (method, headers) in [("HEAD", []), ("GET", [(name: "Sec-Fetch-Dest", value: "image")])] {
            let redirect = try redirect(#"{"ios_carry":"both"}"#, method: method, headers: headers)
            #expect(redirect.outcome == .getAppPage && !redirect.isCounted && redirect.carry.isEmpty)
            #expect(redirect.html(nonce: "n")?.contains("click_id") == false)
        }
    }

    /// An iPad says that it is a Mac.
    @Test func isInTheCheckForIPads() throws {
        let redirect = try redirect(#"{"ios_carry":"both"}"#, agent: Self.macSafari)
        #expect(redirect.outcome == .iPadCheckPage)
        let html = try #require(redirect.html(nonce: "n0nce"))
        // Also where the app may be there.
        let buttons = try self.html(#"{"ios_carry":"both","app_url":"shop://x"}"#, agent: Self.macSafari)
        for html in [html, buttons] {
            #expect(html.contains("<main id=\"touch\" hidden>"))
            #expect(html.contains(Self.code.groups[0]) && html.contains("data-copied="))
        }
        #expect(!html.contains("shop:") && buttons.contains("shop://x?click_id=\(Self.clickID)"))
        #expect(html.contains("id=\"app\" href=\"https://apps.apple.com/app/id222222222\""))
        let without = try #require(redirect.withoutCode.html(nonce: "n0nce"))
        #expect(!without.contains(Self.code.groups[0]) && without.contains("data-copied="))
    }

    @Test(arguments: [iPhone, facebook])
    func canBeMadeWithoutItsCode(agent: String) throws {
        let redirect = try redirect(#"{"ios_carry":"both"}"#, agent: agent)
        #expect(redirect.carry.code != nil && redirect.withoutCode.carry.code == nil)
        let html = try #require(redirect.withoutCode.html(nonce: "n"))
        #expect(!html.contains(Self.code.groups[0]) && html.contains("data-copied="))
    }

    @Test func speaksTheVisitorsLanguage() throws {
        let words = #"{"de":{"get":"{app} holen","code":"Code:"},"pt-BR":{"get":"Baixar"},"he":{"get":"x"}}"#
        let settings = #"{"ios_carry":"code","page_words":\#(words)}"#
        for (accepted, language, text) in [
            ("de-AT,en;q=0.5", "de", ">Example holen</a>"), ("fr, de;q=0.3, en;q=0.2", "de", ">Example holen</a>"),
            ("fr", "en", ">Get the app</a>"), ("en-GB,de", "en", ">Get the app</a>"), ("pt", "pt-BR", ">Baixar</a>"),
            ("pt-PT", "pt-BR", ">Baixar</a>"), ("de;q=0", "en", ">Get the app</a>"),
        ] {
            let html = try html(settings, [("Accept-Language", accepted)])
            #expect(html.contains("<html lang=\"\(language)\">"), "\(accepted)")
            #expect(html.contains(text), "\(accepted)")
        }
        let portuguese = try html(settings, [("Accept-Language", "pt-BR")])
        #expect(portuguese.contains("<span lang=\"en\">\(PageWord.code.english)</span>"))
        #expect(try html(settings, [("Accept-Language", "he")]).contains("<html lang=\"he\" dir=\"rtl\">"))
        #expect(try html(settings, agent: "Twitterbot/1.0", [("Accept-Language", "de")]).contains("<html lang=\"de\">"))
    }

    @Test func hasTheLooksOfTheApp() throws {
        let settings = ##"{"ios_carry":"code","page_color":"#FC0","page_logo":"https://cdn.example/a/b.png"}"##
        let redirect = try redirect(settings)
        let html = try #require(redirect.html(nonce: "n"))
        #expect(html.contains(":root{--accent:#ffcc00;--on:#000;"))
        #expect(html.contains("<img src=\"https://cdn.example/a/b.png\" alt=\"\""))
        let policy = try #require(
            LinkHeaders.all(redirect, nonce: "n").first { $0.name == "Content-Security-Policy" }?.value
        )
        #expect(policy.contains("; img-src data: https://cdn.example/a/b.png; "))
        #expect(PageColor("#0000ff")?.textColor == "#fff")
    }

    @Test(arguments: [
        ##"{"page_color":"red"}"##, ##"{"page_color":"#12345"}"##, ##"{"page_color":"#1234567"}"##,
        ##"{"page_color":"#fff;}"}"##, #"{"page_logo":"http://a.example/x.png"}"#,
        #"{"page_logo":"https://a.example/x.png?y"}"#, #"{"page_logo":"https://a.example/;script-src *"}"#,
        #"{"page_logo":"https://a.example/"}"#, #"{"page_logo":"https://a.example/'x'"}"#,
        #"{"ios_carry":"yes"}"#, #"{"page_words":{"de":{"gett":"x"}}}"#, #"{"page_words":{"d e":{"get":"x"}}}"#,
        #"{"page_words":{"de":{"get":"{name}"}}}"#, #"{"page_words":{"de":{"get":""}}}"#, #"{"page_words":["de"]}"#,
    ])
    func refusesOtherLooks(settings: String) {
        #expect(throws: LinkFault.self) { try redirect(settings) }
    }
}

@Suite("Words of pages")
struct PageWordsTests {
    @Test func areReadFromYAMLAndBackFromJSON() throws {
        let words = try PageWords(yaml: "de: {get: App holen, open: 'In {app} öffnen'}\npt_br: {get: 12}\n", name: "w")
        #expect(words.languages["de"] == [.get: "App holen", .open: "In {app} öffnen"])
        #expect(words.languages["pt-BR"] == [.get: "12"])
        let back = try PageWords(json: JSONDocument(reading: words.json.utf8).root, field: "page_words")
        #expect(back == words)
        #expect(try PageWords(yaml: words.json, name: "w") == words)
    }

    @Test(arguments: [
        ("zh-Hans zh-Hant", "zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"), ("zh-Hans zh-Hant", "zh-HK", "zh-Hant"),
        ("zh-Hans zh-Hant", "zh-MO", "zh-Hant"), ("zh-Hans zh-Hant", "zh-CN", "zh-Hans"),
        ("zh-Hans zh-Hant", "zh", "zh-Hans"), ("zh zh-TW", "zh-HK", "zh-TW"), ("zh zh-TW", "zh-SG", "zh"),
        ("zh-Hant", "zh-CN,en", "zh-Hant"), ("sr-Cyrl sr-Latn", "sr-ME", "sr-Latn"),
        ("no", "nb-NO", "no"), ("no", "nn", "no"), ("nb", "no", "nb"), ("nb nn", "nn-NO", "nn"), ("nn no", "nb", "no"),
        ("pt-BR pt-PT", "pt-PT", "pt-PT"), ("pt-BR pt-PT", "pt", "pt-BR"), ("de de-AT", "de-CH", "de"),
        ("de es", "de;q=0.1,es;q=0.9", "es"), ("es", "es-419", "es"), ("en-US de", "en-GB,de", "en"),
        ("de", "fr,x-a,i-klingon,*", "en"),
    ])
    func areTheVisitorsByLanguageAndScript(languages: String, accepted: String, expected: String) throws {
        let yaml = languages.split(separator: " ").map { "\($0): {get: x}\n" }.joined()
        #expect(try PageWords(yaml: yaml, name: "w").language(for: accepted) == expected)
    }

    @Test(arguments: [
        ("", "w has no words"), ("de", "w has no words"),
        ("de:\n  gett: x", "w, line 2: there is no word 'gett'; did you"),
        ("de: {get: [x]}", "w, line 1: a word must be a text"),
        ("de: x", "w, line 1: a language has its words below it"),
        ("'d e': {get: x}", "w, line 1: 'd e' is no language"), ("de: {get: '{x}'}", "w, line 1: 'get' may have {app}"),
        ("de: {get: x, get: y}", "w is not YAML: line 1: a key appears twice"),
        ("de: &a {get: x}\nfr: *a", "w, line 2: al"),
    ])
    func tellWhatIsWrong(yaml: String, message: String) {
        let error = #expect(throws: PageWordsError.self) { try PageWords(yaml: yaml, name: "w") }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}

@Suite("Codes of clicks")
struct CarryCodeTests {
    @Test func areReadAsPeopleTypeThem() throws {
        let code = CarryCode(EventID(high: 7, low: 0xFFFF_FF01_2345_6789))
        #expect(code.groups == ["04HM", "ASW9"])
        for text in [
            "04HMASW9", "04hm-asw9", " O4HM ASW9 ", "o 4 h m a s w 9", "04HM–ASW9", "04HM—ASW9", "04HM‑ASW9",
            "04HM\u{A0}ASW9", "04HM\u{202F}ASW9", "04HM\u{200B}ASW9", "04HM\u{3000}ASW9", "04HM\tASW9\r\n",
            "０４ＨＭ ＡＳＷ９", "٠٤HM ASW٩", "“04HM ASW9”.", "«04HM·ASW9»", "\u{FEFF}04HM ASW9", "(04HM_ASW9)",
        ] {
            #expect(CarryCode(typed: text) == code, "\(text)")
        }
        #expect(CarryCode(typed: "iLIL-0000") == CarryCode(typed: "1111-0000"))
        for text in [
            "", "04HMASW", "04HMASW99", "04HMASWU", "04HMASWé", "04HMASWж", String(repeating: " ", count: 257),
            String(repeating: "0", count: 257),
        ] {
            #expect(CarryCode(typed: text) == nil, "\(text)")
        }
        #expect(code.bytes == [0x01, 0x23, 0x45, 0x67, 0x89])
    }

    @Test func areTheOnesThatAreShown() {
        for low in [0, 1, 0xFF_FFFF_FFFF, 0x8765_4321_0FED_CBA9] as [UInt64] {
            let code = CarryCode(EventID(high: 0, low: low))
            #expect(CarryCode(typed: code.groups.joined(separator: " ")) == code)
        }
    }
}
