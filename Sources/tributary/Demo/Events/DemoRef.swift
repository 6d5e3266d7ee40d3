/// A category of posts in the demo's app, and how well it works. These figures decide what the reports show.
struct DemoRef: Sendable {
    /// The outcomes, as parts of the people who are asked to post. The rest is not confirmed.
    struct Outcomes: Sendable {
        let posted: Double
        let cancelled: Double
        let failed: Double
    }

    /// The values of `ref`: several for a post that counts for several categories.
    let names: [String]
    /// How often people of the app start such a post, relative to the other categories.
    let posting: Double
    let outcomes: Outcomes
    /// How many taps a post brings, relative to the other categories.
    let draw: Double
    /// The part of the taps by people without the app.
    let newcomers: Double
    let quality: DemoQuality

    static let all: [DemoRef] = [
        recipe, cookAlong, giveaway, inviteFriend, badge, firstSteps, weeklyPlan, planWithRecipe,
    ]

    /// The everyday post: many of them, good in every step.
    static let recipe = DemoRef(
        names: ["recipe"],
        posting: 30,
        outcomes: Outcomes(posted: 0.78, cancelled: 0.17, failed: 0.02),
        draw: 1.0,
        newcomers: 0.6,
        quality: DemoQuality(install: 0.3, logIn: 0.75, purchase: 0.28, staying: 0.3, cents: 399...1_499)
    )
    /// Open Graph stories, which the app publishes while people cook. Nobody can cancel them.
    static let cookAlong = DemoRef(
        names: ["cook_along"],
        posting: 18,
        outcomes: Outcomes(posted: 0.97, cancelled: 0, failed: 0.03),
        draw: 0.9,
        newcomers: 0.55,
        quality: DemoQuality(install: 0.34, logIn: 0.8, purchase: 0.24, staying: 0.42, cents: 399...1_299)
    )
    /// Brings many people who do not stay.
    static let giveaway = DemoRef(
        names: ["giveaway"],
        posting: 22,
        outcomes: Outcomes(posted: 0.86, cancelled: 0.1, failed: 0.02),
        draw: 3.4,
        newcomers: 0.85,
        quality: DemoQuality(install: 0.07, logIn: 0.45, purchase: 0.04, staying: 0.03, cents: 199...399)
    )
    /// Rare, but nearly everybody who comes stays.
    static let inviteFriend = DemoRef(
        names: ["invite_friend"],
        posting: 8,
        outcomes: Outcomes(posted: 0.66, cancelled: 0.28, failed: 0.02),
        draw: 0.9,
        newcomers: 0.9,
        quality: DemoQuality(install: 0.64, logIn: 0.93, purchase: 0.52, staying: 0.65, cents: 999...3_999)
    )
    /// Often posted, hardly ever tapped.
    static let badge = DemoRef(
        names: ["badge"],
        posting: 20,
        outcomes: Outcomes(posted: 0.7, cancelled: 0.24, failed: 0.03),
        draw: 0.16,
        newcomers: 0.4,
        quality: DemoQuality(install: 0.18, logIn: 0.6, purchase: 0.12, staying: 0.18, cents: 399...999)
    )
    /// Offered too early: most people cancel.
    static let firstSteps = DemoRef(
        names: ["first_steps"],
        posting: 14,
        outcomes: Outcomes(posted: 0.2, cancelled: 0.72, failed: 0.05),
        draw: 0.4,
        newcomers: 0.6,
        quality: DemoQuality(install: 0.22, logIn: 0.6, purchase: 0.1, staying: 0.12, cents: 399...999)
    )
    static let weeklyPlan = DemoRef(
        names: ["weekly_plan"],
        posting: 10,
        outcomes: Outcomes(posted: 0.8, cancelled: 0.14, failed: 0.02),
        draw: 0.8,
        newcomers: 0.55,
        quality: DemoQuality(install: 0.42, logIn: 0.85, purchase: 0.4, staying: 0.55, cents: 999...2_999)
    )
    /// A post of two categories, which counts for both.
    static let planWithRecipe = DemoRef(
        names: ["weekly_plan", "recipe"],
        posting: 5,
        outcomes: Outcomes(posted: 0.8, cancelled: 0.14, failed: 0.02),
        draw: 0.9,
        newcomers: 0.6,
        quality: DemoQuality(install: 0.38, logIn: 0.8, purchase: 0.34, staying: 0.45, cents: 799...2_499)
    )
}
