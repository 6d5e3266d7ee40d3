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
        Sample(name: "iPhone", agent: SampleAgents.iPhone),
        Sample(name: "iPad", agent: SampleAgents.iPad),
        Sample(name: "Safari on a Mac, or on an iPad that says so", agent: SampleAgents.macSafari),
        Sample(name: "Android", agent: SampleAgents.android),
        Sample(name: "Facebook's browser on an iPhone", agent: SampleAgents.facebookOnIPhone),
        Sample(name: "Facebook's browser on Android", agent: SampleAgents.facebookOnAndroid),
        Sample(name: "Desktop", agent: SampleAgents.desktop),
        crawler,
    ]

    /// Facebook's, which reads the preview.
    static let crawler = Sample(name: "Facebook's crawler", agent: SampleAgents.facebookCrawler)

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
        case .openAppInterstitial where !redirect.carry.isEmpty:
            "A page with buttons, from which the visitor carries the click's id to the app"
        case .openAppInterstitial: "A page with buttons"
        case .getAppPage: "A page from which the visitor carries the click's id to the app"
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
            return page.buttons.map { Place(label: $0.label.text, address: $0.address) }
        case .iPadCheck(let page):
            var places: [Place] = []
            if let web = page.web { places.append(Place(label: "Mac", address: web)) }
            if let address = page.iPadAddress { return places + [Place(label: "iPad", address: address)] }
            for button in page.onIPad?.buttons ?? [] {
                places.append(Place(label: "iPad, \(button.label.text)", address: button.address))
            }
            return places
        case .crawler, .notice, nil:
            return []
        }
    }
}
