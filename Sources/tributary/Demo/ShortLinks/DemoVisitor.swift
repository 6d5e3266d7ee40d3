/// Who asks for a short link, by the user agents of real browsers and crawlers.
enum DemoVisitor: String, CaseIterable, Sendable {
    case iPhone, android, facebookOnIPhone, facebookOnAndroid, instagram, desktop
    case facebookCrawler, whatsApp, slack, searchEngine, head, prefetch

    /// How often, relative to the others.
    var weight: Double {
        switch self {
        case .iPhone, .android: 24
        case .facebookOnIPhone, .facebookOnAndroid: 9
        case .instagram: 7
        case .desktop: 10
        case .facebookCrawler: 5
        case .whatsApp, .slack: 3
        case .searchEngine, .head, .prefetch: 2
        }
    }

    /// As what the daemon counts it.
    var kind: Kind {
        switch self {
        case .iPhone, .android, .facebookOnIPhone, .facebookOnAndroid, .instagram, .desktop: .click
        case .facebookCrawler, .whatsApp, .slack: .preview
        case .searchEngine: .bot
        case .head: .head
        case .prefetch: .prefetch
        }
    }

    enum Kind: String, CaseIterable, Sendable {
        case click, preview, bot, head, prefetch
    }

    var platform: DemoPerson.Platform {
        switch self {
        case .iPhone, .facebookOnIPhone, .instagram: .ios
        case .android, .facebookOnAndroid: .android
        default: .desktop
        }
    }

    /// The headers of a request, apart from the host.
    var headers: [(name: String, value: String)] {
        let agent = [(name: "User-Agent", value: agent)]
        switch self {
        case .prefetch: return agent + [("Sec-Purpose", "prefetch;prerender")]
        case .facebookOnIPhone, .facebookOnAndroid: return agent + [("Referer", "https://m.facebook.com/")]
        case .instagram: return agent + [("Referer", "https://l.instagram.com/")]
        default: return agent
        }
    }

    private var agent: String {
        let safari = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
        let chrome = "AppleWebKit/537.36 (KHTML, like Gecko)"
        let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) \(safari)"
        return switch self {
        case .iPhone: "\(iPhone) Version/26.0 Mobile/15E148 Safari/604.1"
        case .android, .prefetch: "Mozilla/5.0 (Linux; Android 10; K) \(chrome) Chrome/142.0.0.0 Mobile Safari/537.36"
        case .facebookOnIPhone:
            "\(iPhone) Mobile/15E148 [FBAN/FBIOS;FBAV/536.0.0.40.102;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7]"
        case .facebookOnAndroid:
            "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A.250505.005; wv) \(chrome) Version/4.0 "
                + "Chrome/142.0.7444.48 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/536.0.0.46.77;]"
        case .instagram: "\(iPhone) Mobile/15E148 Instagram 404.0.0.29.80 (iPhone15,2; iOS 18_7; en_US; en; scale=3.00)"
        case .desktop, .head: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(chrome) Chrome/142.0.0.0 Safari/537.36"
        case .facebookCrawler: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
        case .whatsApp: "WhatsApp/2.23.20.0 A"
        case .slack: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"
        case .searchEngine: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
        }
    }
}
