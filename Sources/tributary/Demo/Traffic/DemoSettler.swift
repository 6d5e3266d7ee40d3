/// Somebody who got the app, and may come back on other days.
struct DemoSettler: Sendable {
    /// For how many days after the first one somebody may come back.
    static let days = 60

    let person: DemoPerson
    /// As in ``DemoQuality``.
    let staying: Double
    /// Whether their user is known.
    let hasLoggedIn: Bool

    /// How likely they come back on a day: in each week less likely than in the one before.
    func chance(daysAgo: Int) -> Double {
        guard (1...Self.days).contains(daysAgo) else { return 0 }
        var chance = staying / 5
        for _ in 0..<(daysAgo - 1) / 7 { chance *= 0.75 }
        return chance
    }
}

extension DemoTraffic {
    /// Some of those who got the app on earlier days open it, which the bookmark tells. Some of these post, so that
    /// people whom a story brought bring others.
    mutating func welcome(_ settlers: [(settler: DemoSettler, daysAgo: Int)], numberedFrom first: Int) {
        for (position, (settler, daysAgo)) in settlers.enumerated() {
            let person = settler.person.numbered(first + position)
            guard random.chance(settler.chance(daysAgo: daysAgo)) else {
                // Some only look in.
                if random.chance(settler.chance(daysAgo: daysAgo)) {
                    let fields = settler.hasLoggedIn ? person.fields(.user, .device) : person.fields(.device)
                    add(.appOpen, by: person, at: DemoDay.moment(&random), fields)
                }
                continue
            }
            let moment = DemoDay.moment(&random)
            let fields = settler.hasLoggedIn ? person.fields(.user, .device) : person.fields(.device)
            add(.inboundLink, by: person, at: moment, fields.with("url", bookmarkLink()))
            if random.chance(0.25) {
                let later = moment + random.wait(minutes: 5, atLeast: 0.4)
                add(.conversion, by: person, at: later, fields.with("name", "recipe_saved"))
            }
            if settler.hasLoggedIn, random.chance(0.6) {
                for wait in 1...random.integer(in: 1...3) {
                    post(by: person, at: moment + random.wait(minutes: 10 * Double(wait)))
                }
            }
            if settler.hasLoggedIn, random.chance(0.08) {
                purchase(by: person, at: moment + random.wait(minutes: 20, atLeast: 1), cents: 399...1_999)
            }
        }
    }
}
