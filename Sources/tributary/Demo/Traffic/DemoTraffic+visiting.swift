extension DemoTraffic {
    /// Somebody who sees a friend's story and taps it.
    mutating func friend(_ person: DemoPerson, stories: [[DemoStory]]) {
        guard let (story, moment) = tap(on: stories) else {
            unmarked(person)
            return
        }
        if random.chance(story.ref.newcomers) {
            newcomer(person, at: moment, story: story)
            if random.chance(0.15), let (other, later) = tap(on: stories) {
                // People see more than one story.
                add(.linkClick, by: person, at: later, onPage(other, person.fields(.click)))
            }
        } else {
            var fields = person.fields(.device)
            if case .postID = story.trail { fields["post_id"] = .text(story.postID) }
            arrive(person, at: moment, target: story.target, refs: story.ref.names, fields)
        }
    }

    /// A story, more likely of a ref with many taps, and a moment after it was posted.
    private mutating func tap(on stories: [[DemoStory]]) -> (DemoStory, Int)? {
        let weights = zip(DemoRef.all, stories).map { $0.draw * Double($1.count) }
        guard weights.contains(where: { $0 > 0 }) else { return nil }
        for _ in 0..<20 {
            let ofRef = stories[random.index(weights: weights)]
            let story = ofRef[random.integer(in: 0...ofRef.count - 1)]
            let moment = story.moment + random.wait(minutes: 90, atLeast: 0.5)
            if moment < DemoDay.length { return (story, moment) }
        }
        return nil
    }

    /// How somebody without the app gets it.
    private enum Way: CaseIterable {
        /// Through the app's web page, which hands its click id to the store.
        case webPage
        /// By a deferred link, in one of two forms, which the SDK hands over at the first launch.
        case appLink, arguments
        /// By a deferred link that is sent with the install.
        case install

        var weight: Double {
            switch self {
            case .webPage: 0.55
            case .appLink: 0.25
            case .arguments: 0.12
            case .install: 0.08
            }
        }
    }

    /// Somebody without the app. On a phone they may install it; in a browser they are in the app immediately.
    private mutating func newcomer(_ person: DemoPerson, at moment: Int, story: DemoStory) {
        let quality = story.ref.quality
        guard person.platform.isPhone else {
            add(.inboundLink, by: person, at: moment, onPage(story, person.fields(.device)))
            if random.chance(quality.install + 0.2) { settle(person, from: moment, quality) }
            return
        }
        let way = random.pick(Way.self) { $0.weight }
        let installs = random.chance(quality.install)
        guard installs, way != .webPage else {
            var click = onPage(story, person.fields(.click))
            if case .postID = story.trail { click["post_id"] = .text(story.postID) }
            add(.linkClick, by: person, at: moment, click)
            if installs {
                lookAround(person, before: moment)
                install(person, after: moment, quality, carrying: person.fields(.click, .device))
            }
            return
        }
        switch way {
        case .webPage, .appLink:
            let link = deferredAppLink(story)
            install(person, after: moment, quality, carrying: person.fields(.device), firstLaunch: link)
        case .arguments:
            let link = DemoLink.appLinkArguments(
                "\(DemoLink.scheme)://recipe",
                target: story.target,
                refs: story.ref.names,
                tappedAt: day.unixSeconds(at: moment)
            )
            install(person, after: moment, quality, carrying: person.fields(.device), firstLaunch: link)
        case .install:
            let fields = person.fields(.device).with("url", deferredAppLink(story))
            install(person, after: moment, quality, carrying: fields)
        }
    }

    /// Some people were on the page before, through another channel.
    private mutating func lookAround(_ person: DemoPerson, before moment: Int) {
        guard random.chance(0.35) else { return }
        let link = random.pick(
            DemoLink.canvas([("fb_source", "search"), ("ref", "ts")]),
            "https://www.facebook.com/apps/\(DemoLink.namespace)/",
            "\(DemoLink.site)/?utm_source=newsletter"
        )
        let earlier = moment - random.wait(minutes: 120, atLeast: 2)
        add(.linkClick, by: person, at: earlier, person.fields(.click).with("url", link))
    }

    /// The fields that the app's web page adds: it knows the referer of a tap.
    private func onPage(_ story: DemoStory, _ fields: [String: DemoValue]) -> [String: DemoValue] {
        fields.with("url", story.target)
            .with("referer_app", "Facebook")
            .with("referer_url", "https://m.facebook.com/")
    }

    /// Somebody who comes without any tap.
    mutating func organic(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        guard person.platform.isPhone else {
            stay(person, from: moment, .organic)
            return
        }
        install(person, after: moment, .organic, carrying: person.fields(.device))
    }

    /// - Parameter firstLaunch: the deferred link that the SDK hands over at the first launch.
    mutating func install(
        _ person: DemoPerson,
        after moment: Int,
        _ quality: DemoQuality,
        carrying fields: [String: DemoValue],
        firstLaunch link: String? = nil
    ) {
        var fields = fields
        if random.chance(0.2) { fields["limit_ad_tracking"] = .flag(true) }
        let installedAt = moment + random.wait(minutes: 6, atLeast: 0.7)
        add(.install, by: person, at: installedAt, fields)
        if let link {
            let openedAt = installedAt + random.wait(minutes: 0.2, atLeast: 0.05)
            add(.inboundLink, by: person, at: openedAt, person.fields(.device).with("url", link))
        }
        if random.chance(0.02) {
            // Removed and installed again: reports count one install.
            let again = person.fields(.device)
            add(.install, by: person, at: installedAt + random.wait(minutes: 120, atLeast: 30), again)
        }
        settle(person, from: installedAt, quality)
    }

    /// The first time in the app, after which people may come back on other days.
    private mutating func settle(_ person: DemoPerson, from moment: Int, _ quality: DemoQuality) {
        let hasLoggedIn = stay(person, from: moment, quality)
        guard moment <= DemoDay.length else { return }
        settle(DemoSettler(person: person, staying: quality.staying, hasLoggedIn: hasLoggedIn))
    }

    /// What people do in the app: perhaps a login, a purchase, a story of their own.
    ///
    /// - Returns: whether they logged in.
    @discardableResult
    mutating func stay(_ person: DemoPerson, from moment: Int, _ quality: DemoQuality) -> Bool {
        let tookTo = random.wait(minutes: 5, atLeast: 0.4)
        if random.chance(0.3) {
            // Before the login only the device is known. The login links the device to the user, for earlier events
            // too.
            let fields = person.fields(.device).with("name", "recipe_saved")
            add(.conversion, by: person, at: moment + tookTo / 2, fields)
        }
        guard random.chance(quality.logIn) else {
            refrain(person, at: moment + tookTo)
            return false
        }
        let loggedInAt = moment + tookTo
        add(.authentication, by: person, at: loggedInAt, login(of: person))
        if random.chance(quality.purchase) {
            purchase(by: person, at: loggedInAt + random.wait(minutes: 25, atLeast: 1), cents: quality.cents)
        }
        if random.chance(0.08) {
            post(by: person, at: loggedInAt + random.wait(minutes: 30, atLeast: 2))
        }
        if random.chance(0.2) { comeBack(person, after: loggedInAt, quality) }
        return true
    }

    func login(of person: DemoPerson) -> [String: DemoValue] {
        var fields = person.fields(.user, .device)
        fields["properties"] = person.profile
        return fields
    }

    /// The bookmark brings people back to the app.
    private mutating func comeBack(_ person: DemoPerson, after moment: Int, _ quality: DemoQuality) {
        let returnedAt = moment + random.wait(minutes: 150, atLeast: 20)
        add(.inboundLink, by: person, at: returnedAt, person.fields(.user, .device).with("url", bookmarkLink()))
        if random.chance(quality.purchase) {
            purchase(by: person, at: returnedAt + random.wait(minutes: 20, atLeast: 1), cents: quality.cents)
        }
    }

    mutating func purchase(by person: DemoPerson, at moment: Int, cents: ClosedRange<Int>) {
        var fields = person.fields(.user)
        let amount = random.integer(in: cents)
        fields["name"] = .text(amount < 700 ? "cookbook" : "premium")
        fields["value"] = .amount(cents: amount)
        // Payments in another currency are counted, but not summed.
        fields["currency"] = random.chance(0.05) ? "EUR" : "USD"
        fields["properties"] = .object(["shop": .text(person.platform.isPhone ? "in_app" : "web")])
        add(.conversion, by: person, at: moment, fields)
        if random.chance(0.1) {
            purchase(by: person, at: moment + random.wait(minutes: 60, atLeast: 5), cents: cents)
        }
    }

    /// A deferred App Link: its target is its own address, and it has no referer.
    private mutating func deferredAppLink(_ story: DemoStory) -> String {
        let refs = story.ref.names.joined(separator: ",")
        let address = "\(DemoLink.scheme)://recipe?" + DemoLink.query([("fb_ref", refs), ("story", story.postID)])
        var extras: [String: DemoValue] = ["fb_app_id": .text(DemoLink.appID)]
        if random.chance(0.3) {
            extras["deeplink_context"] = .text(DemoJSON.text(.object(["promo_code": "SOUP20"])))
        }
        return DemoLink.appLink(address, target: address, members: ["extras": .object(extras)])
    }
}
