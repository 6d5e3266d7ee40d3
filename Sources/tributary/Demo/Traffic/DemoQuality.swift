/// How many people get how far after they arrive.
struct DemoQuality: Sendable {
    /// The part of newcomers who install after a tap.
    let install: Double
    /// The part of people in the app who log in.
    let logIn: Double
    /// The part of these who buy.
    let purchase: Double
    /// The part of those who got the app that come back in the week after; later weeks have fewer.
    let staying: Double
    /// The amounts that they spend.
    let cents: ClosedRange<Int>

    static let organic = DemoQuality(install: 1, logIn: 0.5, purchase: 0.1, staying: 0.3, cents: 399...999)
    static let search = DemoQuality(install: 0.35, logIn: 0.55, purchase: 0.16, staying: 0.25, cents: 399...1_499)
    static let invited = DemoQuality(install: 0.4, logIn: 0.7, purchase: 0.12, staying: 0.3, cents: 299...899)
    static let named = DemoQuality(install: 0.25, logIn: 0.6, purchase: 0.15, staying: 0.2, cents: 399...1_299)
    static let elsewhere = DemoQuality(install: 0.2, logIn: 0.4, purchase: 0.06, staying: 0.06, cents: 399...999)
    /// People who have the app and come back to it.
    static let returning = DemoQuality(install: 0, logIn: 0.85, purchase: 0.3, staying: 0, cents: 399...2_499)
}
