/// Channels other than stories.
extension DemoTraffic {
    mutating func searcher(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        let source = random.pick("search", "appcenter_search", "appcenter_search_typeahead")
        let link = random.pick(
            DemoLink.canvas([("fb_source", source), ("ref", "ts")]),
            "/?fb_source=\(source)",
            DemoLink.canvas([("ref", "br_tf")])
        )
        comeIn(person, at: moment, link: link, newcomers: 0.6, .search)
    }

    mutating func bookmarker(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        add(.inboundLink, by: person, at: moment, person.fields(.user, .device).with("url", bookmarkLink()))
        stay(person, from: moment, .returning)
    }

    /// Only people who have the app see its bookmark.
    mutating func bookmarkLink() -> String {
        let source = random.pick("bookmark", "bookmark_apps", "bookmark_favorites", "sidebar_bookmark")
        let position = "\(random.integer(in: 1...4))_\(random.integer(in: 0...3))"
        return DemoLink.canvas([("fb_source", source), ("ref", "bookmarks"), ("count", "0"), ("fb_bmpos", position)])
    }

    /// Somebody who gets a friend's request as a notification.
    mutating func invited(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        let requests = (0..<random.integer(in: 1...4)).map { _ in random.digits(15) }.joined(separator: ",")
        let link = DemoLink.canvas([
            ("fb_source", "notification"), ("request_ids", requests), ("ref", "notif"),
            ("app_request_type", "user_to_user"), ("fb_ref", "no_ref_specified"), ("notif_t", "app_request"),
        ])
        comeIn(person, at: moment, link: link, newcomers: 0.45, .invited)
    }

    /// Somebody who taps the app's name above a story.
    mutating func nameTapper(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        let page = random.pick(
            "http://m.facebook.com/apps/\(DemoLink.namespace)/",
            "https://www.facebook.com/apps/\(DemoLink.namespace)/",
            DemoLink.canvas([])
        )
        comeIn(person, at: moment, link: page, newcomers: 0.4, .named)
    }

    /// Somebody who comes from an advertisement, the app directory or another app.
    mutating func elsewhere(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        let campaign = random.digits(12)
        let advertisement = DemoLink.appLink(
            "\(DemoLink.scheme)://offer",
            target: DemoLink.canvas([("fb_source", "ad"), ("ad_id", campaign)]),
            members: [
                "campaign_ids": .text(campaign), "acs_token": .text(random.token(24)),
                "referer_app_link": .object(DemoLink.facebookApp),
            ]
        )
        let otherApp = DemoLink.appLink(
            "\(DemoLink.scheme)://recipe",
            target: "\(DemoLink.site)/r/rye-bread",
            members: ["referer_app_link": .object(["url": "pinwall://", "app_name": "Pinwall"])]
        )
        let directory = DemoLink.canvas([("fb_source", "appcenter"), ("fb_appcenter", "1")])
        comeIn(person, at: moment, link: random.pick(advertisement, otherApp, directory), newcomers: 0.8, .elsewhere)
    }

    /// Somebody who comes by a link without marks.
    mutating func unmarked(_ person: DemoPerson) {
        let moment = DemoDay.moment(&random)
        let link = random.pick(
            "\(DemoLink.scheme)://open?screen=home",
            "\(DemoLink.site)/?utm_source=newsletter",
            "\(DemoLink.scheme)://recipe/plum-cake?fbclid=IwAR0\(random.token(20))"
        )
        comeIn(person, at: moment, link: link, newcomers: 0.2, .elsewhere)
    }

    /// The app's developer, who tries links. This is test traffic, which no report counts.
    mutating func developer(_ person: DemoPerson) {
        for _ in 0..<12 {
            let link = DemoLink.appLink(
                "fb\(DemoLink.appID)://recipe",
                target: "\(DemoLink.site)/r/test?ref=recipe",
                members: ["test_deeplink": .number(1), "referer_app_link": .object(DemoLink.facebookApp)]
            )
            add(.inboundLink, by: person, at: DemoDay.moment(&random), person.fields(.device).with("url", link))
        }
    }

    private mutating func comeIn(
        _ person: DemoPerson,
        at moment: Int,
        link: String,
        newcomers: Double,
        _ quality: DemoQuality
    ) {
        guard random.chance(newcomers) else {
            arrive(person, at: moment, target: link, refs: [], person.fields(.device))
            return
        }
        guard person.platform.isPhone else {
            add(.inboundLink, by: person, at: moment, person.fields(.device).with("url", link))
            if random.chance(0.6) { stay(person, from: moment, quality) }
            return
        }
        add(.linkClick, by: person, at: moment, person.fields(.click).with("url", link))
        if random.chance(quality.install) {
            install(person, after: moment, quality, carrying: person.fields(.click, .device))
        }
    }

    /// Somebody who has the app. It opens with the link, in the form that their Facebook app uses.
    mutating func arrive(
        _ person: DemoPerson,
        at moment: Int,
        target: String,
        refs: [String],
        _ fields: [String: DemoValue]
    ) {
        var fields = fields
        var isLoggedIn = false
        let isAddress = target.contains("://") && !target.contains("al_applink_data")
        guard person.platform.isPhone, isAddress else {
            fields["url"] = .text(target)
            add(.inboundLink, by: person, at: moment, fields)
            stay(person, from: moment, .returning)
            return
        }
        switch random.index(weights: [0.5, 0.12, 0.25, 0.05, 0.08]) {
        case 0:
            isLoggedIn = true
            fields["user_id"] = .text(person.userID)
            let suffix = random.chance(0.1) ? "pad" : ""
            fields["url"] = .text(
                DemoLink.authorize(target: target, token: makeToken(), suffix: suffix, inQuery: random.chance(0.1))
            )
        case 1:
            fields["url"] = .text(DemoLink.authorize(target: target, token: nil))
        case 2, 3:
            var extras: [String: DemoValue] = ["fb_app_id": .number(123_456_789_012_345)]
            if random.chance(0.4) {
                isLoggedIn = true
                fields["user_id"] = .text(person.userID)
                extras["fb_access_token"] = .text(makeToken())
                extras["fb_expires_in"] = "0"
            }
            let members: [String: DemoValue] = [
                "version": "1.0", "user_agent": "Bolts iOS 1.0.0", "extras": .object(extras),
                "referer_app_link": .object(DemoLink.facebookApp),
            ]
            // Some backends log decoded links.
            let isDecoded = random.chance(0.15)
            let address = "fb\(DemoLink.appID)://applinks"
            fields["url"] = .text(DemoLink.appLink(address, target: target, members: members, isDecoded: isDecoded))
        default:
            let address = "\(DemoLink.scheme)://recipe"
            fields["url"] = .text(DemoLink.appLinkArguments(address, target: target, refs: refs, tappedAt: nil))
        }
        add(.inboundLink, by: person, at: moment, fields)
        guard isLoggedIn else {
            stay(person, from: moment, .returning)
            return
        }
        if random.chance(DemoQuality.returning.purchase) {
            let boughtAt = moment + random.wait(minutes: 30, atLeast: 1)
            purchase(by: person, at: boughtAt, cents: DemoQuality.returning.cents)
        }
    }
}
