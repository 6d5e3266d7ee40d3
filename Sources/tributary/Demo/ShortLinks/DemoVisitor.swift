import Redirects

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
        switch self {
        case .iPhone: SampleAgents.iPhone
        case .android, .prefetch: SampleAgents.android
        case .facebookOnIPhone: SampleAgents.facebookOnIPhone
        case .facebookOnAndroid: SampleAgents.facebookOnAndroid
        case .instagram: SampleAgents.instagram
        case .desktop, .head: SampleAgents.desktop
        case .facebookCrawler: SampleAgents.facebookCrawler
        case .whatsApp: SampleAgents.whatsApp
        case .slack: SampleAgents.slack
        case .searchEngine: SampleAgents.searchEngine
        }
    }
}
