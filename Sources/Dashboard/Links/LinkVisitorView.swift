import Redirects
import Time

/// Where a link leads for one kind of visitor: the decision of the daemon itself, for a made-up request.
struct LinkVisitorView {
    /// A place that the visitor can get to, with the words on its button if it is one of several.
    struct Place {
        var label: String
        var hasLabel: Bool
        var address: String

        init(label: String = "", address: String) {
            self.label = label
            hasLabel = !label.isEmpty
            self.address = address
        }
    }

    /// A kind of visitor, with the user agent of one.
    struct Sample {
        var name: String
        var agent: String
    }

    static let samples = [
        Sample(
            name: "iPhone",
            agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/26.0 Mobile/15E148 Safari/604.1"
        ),
        Sample(
            name: "iPad",
            agent: "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/26.0 Mobile/15E148 Safari/604.1"
        ),
        Sample(
            name: "Safari on a Mac, or on an iPad that says so",
            agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/26.0 Safari/605.1.15"
        ),
        Sample(
            name: "Android",
            agent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/142.0.0.0 Mobile Safari/537.36"
        ),
        Sample(
            name: "Facebook's browser on an iPhone",
            agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Mobile/15E148 [FBAN/FBIOS;FBAV/536.0.0.40.102;FBBV/802106105;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;"
                + "FBSV/18.7;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]"
        ),
        Sample(
            name: "Facebook's browser on Android",
            agent: "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A.250505.005; wv) AppleWebKit/537.36 "
                + "(KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.48 Mobile Safari/537.36 "
                + "[FB_IAB/FB4A;FBAV/536.0.0.46.77;]"
        ),
        Sample(
            name: "Desktop",
            agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/142.0.0.0 Safari/537.36"
        ),
        crawler,
    ]

    /// Facebook's, which reads the preview.
    static let crawler = Sample(
        name: "Facebook's crawler",
        agent: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
    )

    var name: String
    var agent: String
    /// In words.
    var answer: String
    /// As it is stored and printed.
    var outcome: String
    var reason: String
    var places: [Place]

    init(_ sample: Sample, _ redirect: Redirect) {
        name = sample.name
        agent = sample.agent
        answer = Self.words(redirect)
        outcome = redirect.outcome.rawValue
        reason = redirect.reason.rawValue.replacing("_", with: " ")
        places = Self.places(redirect)
    }

    /// What the visitor would get.
    static func redirect(_ sample: Sample, to link: Link, of app: LinkApp, now: Timestamp) -> Redirect {
        .decide(
            Visitor(
                method: "GET",
                target: TrialSettings(link: link, app: app).path,
                headers: [(name: "User-Agent", value: sample.agent)]
            ),
            link: link,
            app: app,
            clickID: LinkTrial.clickID,
            now: now
        )
    }

    private static func words(_ redirect: Redirect) -> String {
        switch redirect.outcome {
        case .storeIPhone, .storeIPad: "App Store"
        case .storeAndroid: "Google Play"
        case .webMobile: "Mobile page"
        case .webDesktop: "Web page"
        case .openAppInterstitial: "A page with buttons"
        case .iPadCheckPage: "A page that tells Macs and iPads apart"
        case .crawlerPage: "The preview"
        case .notAvailable: "A page that says: not available"
        case .expired: redirect.location == nil ? "A page that says: expired" : "The page after the end"
        case .notFound, .prefetchRefused, .methodNotAllowed: "Nothing"
        }
    }

    private static func places(_ redirect: Redirect) -> [Place] {
        if let location = redirect.location { return [Place(address: location)] }
        switch redirect.page {
        case .interstitial(let page):
            return page.buttons.map { Place(label: $0.label, address: $0.address) }
        case .iPadCheck(let page):
            var places: [Place] = []
            if let web = page.web { places.append(Place(label: "Mac", address: web)) }
            if let address = page.iPadAddress { places.append(Place(label: "iPad", address: address)) }
            for button in page.interstitial?.buttons ?? [] {
                places.append(Place(label: "iPad, \(button.label)", address: button.address))
            }
            return places
        case .crawler, .notice, nil:
            return []
        }
    }
}
