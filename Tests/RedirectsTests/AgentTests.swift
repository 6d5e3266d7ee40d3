import RandomTesting
import Testing

@testable import Redirects

@Suite("Who asks")
struct AgentTests {
    private func asker(_ agent: String, _ headers: [(name: String, value: String)] = []) -> Asker {
        Asker(Visitor(method: "GET", target: "/abc", headers: [("User-Agent", agent)] + headers))
    }

    @Test(arguments: [
        "facebookexternalhit/1.1;line-poker/1.0", "WhatsApp/2.23.20.0 A", "ViberUrlDownloader",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Mastodon/4.3.0 (http.rb/5.2.0; +https://a.b/)",
        "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)", "Chatwork LinkPreview v1",
        "LinkPresentation/1.0",
    ])
    func isAPreviewer(agent: String) {
        #expect(asker(agent) == .previewer)
    }

    @Test(arguments: [
        "", "  ", "curl/8.4.0", "Java/17.0.1", "meta-externalagent/1.1", "Mozilla/5.0 (compatible; ClaudeBot/1.0)",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120", "2ip.ru",
        "Mozilla/5.0 (Windows NT 10.0; +http://www.example.org/robot) Gecko",
        "Dart/3.2 (dart:io)", "node", "undici", "Shop/12 CFNetwork/1494.0.7 Darwin/23.4.0", "Deno/2.1.4", "Bun/1.1.8",
        "Shop/3.1 (com.example.shop; build:7; iOS 17.4.0) Alamofire/5.8.1", "reqwest/0.12.5", "HTTPie/3.2.2",
        "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4170", "BarracudaCentral/1.0",
        "ktor-client", "Ktor client", "Faraday v2.9.0", "Symfony HttpClient/Curl", "http.rb/5.2.0",
        "Jakarta Commons-HttpClient/3.1", "Mechanize/2.12.1 Ruby/3.3.0p0", "WWW-Mechanize/2.19", "feign",
        "Feign/13.2", "hackney/1.20.1", "PHP/8.2", "PHP/8.2.12", "Apache-CXF/4.0.4", "Apache CXF 3.1.6",
        "HTTPClient/1.0 (2.8.3, ruby 3.1.2 (2022-04-12))", "Vert.x-WebClient/4.5.1", "ReactorNetty/1.1.15",
        "akka-http/10.5.3", "Jersey/3.1.5 (HttpUrlConnection 17.0.9)", "excon/0.109.0", "ureq/2.9.6", "aiohttp/3.9.3",
        "HTTP-Tiny/0.088", "Mojolicious (Perl)", "Mozilla/4.0 (compatible; Win32; WinHttp.WinHttpRequest.5)",
        "Mozilla/3.0 (compatible; Indy Library)", "LuaSocket 3.0.0",
        "Mandrill-PHP/1.0.55", "IPinfoClient/PHP/3.1.2", "PHP-SOAP/8.5.6", "Go 1.1 package http", "REST::Client/273",
        "Embarcadero URI Client/1.0", "scalaj-http/2.4.0", "unirest-java/3.1.00", "cpp-httplib/0.10.9", "fasthttp",
        "Sophos URL Protection", "Symantec Email Security", "TrendMicro SafeLinks", "ESET Mail Security",
        "Cisco Secure Email", "Mozilla/5.0 (compatible; Sophos URL Protection/1.0)",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Cisco Secure Email",
    ])
    func isABot(agent: String) {
        #expect(asker(agent) == .bot)
    }

    /// Names that hold a word of a library or of a mail scanner.
    @Test(arguments: [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0 Faraday/1",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36 Jakarta/2",
        "Mozilla/5.0 (Windows NT 6.1; rv:24.0) Gecko/20100101 Firefox/24.0 FirePHP/0.7.4",
        "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0; ms-office; MSOffice 16) like Gecko",
    ])
    func isAPerson(agent: String) {
        #expect(asker(agent).device == .desktop)
    }

    @Test(arguments: [
        "Mozilla/5.0 (Linux; Android 13; M bot 54) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 9; CUBOT) AppleWebKit/537.36 Chrome/91 Mobile Safari/537.36 CUBOT/1",
        "Instagram 309.0 Android (31/12; 420dpi; 1080x2176; samsung; SM-A525F; Spider; qcom; en_US)",
        "Mozilla/5.0 (Linux; Android 11) AppleWebKit/537.36 Chrome/99 Mobile Safari/537.36 SogouMobileBrowser/5",
        "Mozilla/5.0 (Linux; Android 10; HiPad Plus) AppleWebKit/537.36 Chrome/95.0.4638.74 Safari/537.36",
    ])
    func isAPersonWithAndroid(agent: String) {
        #expect(asker(agent).device == .android)
    }

    @Test(arguments: [
        ("Mozilla/5.0 (Mobile; LYF/F90M; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", Device.otherPhone),
        ("Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/114 Safari/537.36 Mobile", .otherPhone),
        ("Mozilla/5.0 (Linux; Android 9; AFTR) AppleWebKit/537.36 Chrome/106 Mobile Safari/537.36", .otherPhone),
        ("Mozilla/5.0 (Linux; Ubuntu 14.04 like Android 4.4) AppleWebKit/537.36 Chrome/65 Safari/537.36", .desktop),
        ("Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) Version/12.0 Mobile/15E148 Safari/604.1", .iPhone),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15 Ddg/18.1", .desktop),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15", .macSafari),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/120.0.0.0 Safari/537.36", .desktop),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36", .desktop),
    ])
    func hasADevice(agent: String, device: Device) {
        #expect(asker(agent).device == device)
    }

    @Test func hasTheDeviceOfItsHints() {
        let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36"
        #expect(asker(agent).device == .desktop)
        #expect(asker(agent, [("Sec-CH-UA-Mobile", "?1")]).device == .otherPhone)
        #expect(asker(agent, [("sec-ch-ua-platform", "\"Android\"")]).device == .android)
    }

    @Test(arguments: [
        ("[FBAN/FBIOS;FBAV/430]", "Facebook"), ("[FBAN/MessengerLiteForiOS;FBAV/430]", "Messenger"),
        ("Instagram 296.0", "Instagram"), ("Barcelona 311.0", "Threads"), ("Twitter for iPhone/7.19", "Twitter"),
        ("Safari Line/14.1.0", "LINE"), ("MicroMessenger/8.0", "WeChat"), ("GSA/376.0 Safari/604.1", "Google"),
    ])
    func isInsideOfAnApp(suffix: String, name: String) {
        let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 "
        #expect(asker(agent + suffix) == .person(.iPhone, .app(name)))
        #expect(asker(agent + "Safari/604.1") == .person(.iPhone, nil))
        #expect(asker(agent) == .person(.iPhone, .unknown))
    }

    @Test(arguments: [
        ("Sec-Purpose", "prefetch;prerender"), ("Purpose", "prefetch"), ("X-Purpose", "preview"), ("x-moz", "Prefetch"),
    ])
    func asksInAdvance(name: String, value: String) {
        #expect(asker("Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0", [(name, value)]) == .prefetch)
    }

    /// The automaton against a plain search for each word.
    @Test func findsTheWordsThatAPlainSearchFinds() {
        let words = ["bot", "cubot", "ot/x", "b", "robots", "abab", "bab"]
        let marks = words.indices.map { AgentMarks(rawValue: 1 << UInt64($0)) }
        let automaton = WordAutomaton(zip(words, marks).map { .init($0, $1) })
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let text = String((0..<12).map { _ in random.pick(Array("abotcurs/x")) })
            var found: AgentMarks = []
            var state = WordAutomaton.startState
            for byte in text.utf8 { found.formUnion(automaton.step(&state, byte)) }
            let expected = zip(words, marks).filter { text.contains($0.0) }.reduce(into: AgentMarks()) {
                $0.formUnion($1.1)
            }
            #expect(found == expected, "\(text)")
        }
    }
}
