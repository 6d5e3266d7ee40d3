import Redirects

/// A short link of the demo's app, and how well it works.
struct DemoShortLink: Sendable {
    static let host = "go.recipes.example"

    let slug: String
    let ref: String
    /// Below the app's site, and in the app.
    let path: String
    let title: String
    /// How often it is followed, relative to the others.
    let draw: Double
    let quality: DemoQuality

    static let all = [newsletter, flyer, profile, chef]

    static let newsletter = DemoShortLink(
        slug: "plum-cake",
        ref: "newsletter",
        path: "r/plum-cake",
        title: "Plum cake in 40 minutes",
        draw: 40,
        quality: DemoQuality(install: 0.35, logIn: 0.7, purchase: 0.3, staying: 0, cents: 399...1_499)
    )
    /// A QR code on paper.
    static let flyer = DemoShortLink(
        slug: "market",
        ref: "flyer",
        path: "r/tomato-soup",
        title: "What to cook with the market's tomatoes",
        draw: 25,
        quality: DemoQuality(install: 0.55, logIn: 0.8, purchase: 0.35, staying: 0, cents: 399...1_999)
    )
    /// In the profile of the app at another network.
    static let profile = DemoShortLink(
        slug: "hello",
        ref: "profile",
        path: "welcome",
        title: "Recipe Box",
        draw: 20,
        quality: DemoQuality(install: 0.2, logIn: 0.5, purchase: 0.1, staying: 0, cents: 199...899)
    )
    /// Of somebody whom many people follow.
    static let chef = DemoShortLink(
        slug: "ana",
        ref: "chef_ana",
        path: "chefs/ana",
        title: "Ana cooks",
        draw: 30,
        quality: DemoQuality(install: 0.45, logIn: 0.85, purchase: 0.45, staying: 0, cents: 999...3_999)
    )

    var link: Link {
        var link = Link(host: Self.host, slug: slug)
        link.targetURL = "\(DemoLink.site)/\(path)"
        link.appURL = "\(DemoLink.scheme)://\(path)"
        link.refs = [ref]
        link.preview.title = title
        link.preview.description = "Cook it tonight."
        link.appendClickID = true
        return link
    }
}
