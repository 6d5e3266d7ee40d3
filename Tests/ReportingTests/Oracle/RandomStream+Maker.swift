import Events
import Foundation
@testable import InboundLinks
import Time
import RandomTesting

extension RandomStream {
    struct Maker {
        private var random: SeededRandom
        private let users: [String]
        private let refs: [String]
        private let devices: [String]
        private let clicks = ["click-1", "click-2", "device-1"]
        private let targets = [
            "https://example.com/a", "http://www.Example.com:80/a/?y=2#z", "https://example.com/b",
            "https://example.com/c?x=1", "shop://a?x=1",
        ]
        private let from = RandomStream.monday
        private let to: Timestamp
        private let instants: [Timestamp]

        init(seed: UInt64, hasTwins: Bool) {
            var random = SeededRandom(seed: seed)
            // A small cast has long histories; a large one has more to link.
            let cast = random.pick([1, 2, 4])
            users = (hasTwins ? ["\u{E9}", "e\u{301}"] : []) + ["user-1", "user-2", "user-3"].prefix(cast)
            devices = Array(["device-1", "user-1", "device-2", "device-3"].prefix(cast + 1))
            refs = ["gift", "boast", "Zeta", "ask-friends"] + (hasTwins ? ["\u{E9}", "e\u{301}"] : ["\u{E4}"])
            to = from.advanced(by: .days(random.pick([1, 3, 7, 7, 10])))

            // Few instants, so that many events share one: the range's ends, a time within it, and times at one of the
            // definitions' distances from another instant, exactly or one microsecond off.
            var instants = [from, to, from.advanced(by: .seconds(Int.random(in: 0..<86_400, using: &random)))]
            if random.chance(50) { instants.append(random.pick([from, to]).advanced(by: .microseconds(-1))) }
            let distances: [Duration] = [
                .days(7), .days(7), .days(-7), .days(90), .days(-90), .days(1), .days(-1), .days(30), .seconds(1),
                .seconds(-60), .seconds(3_600), .seconds(9_000), .microseconds(1_500_001),
            ]
            for _ in 0..<random.pick([1, 2, 3, 5]) {
                let edge = random.pick(instants).advanced(by: random.pick(distances))
                instants.append(edge)
                if random.chance(35) { instants.append(edge.advanced(by: .microseconds(random.pick([1, 1, -1])))) }
            }
            if random.chance(25) {
                let again = random.pick([from, to]).advanced(by: .days(random.pick([90, 0])))
                instants += [again.advanced(by: .days(-90)), again, again.advanced(by: .microseconds(1))]
            }
            let earliest = from.advanced(by: .days(-181))
            let latest = from.advanced(by: .days(101))
            self.instants = instants.filter { earliest < $0 && $0 < latest }
            self.random = random
        }

        mutating func stream() -> RandomStream {
            var events: [Event] = []
            for _ in 0..<Int.random(in: 5...48, using: &random) {
                events.append(event())
            }
            for _ in 0..<random.pick([0, 0, 1, 1, 2]) { addClick(to: &events) }
            for _ in 0..<random.pick([0, 0, 1, 2]) { addLaunches(to: &events) }
            for original in events where events.count < 60 && random.chance(10) {
                let place = Int.random(in: 0...events.count, using: &random)
                events.insert(duplicate(of: original), at: place)
            }
            let now = random.pick(instants + [to.advanced(by: .days(30)), to.advanced(by: RandomStream.window)])
            return RandomStream(events: events, from: from, to: to, now: now)
        }

        /// Adds a click on a short link and opens of the app that name it, anywhere among the events.
        private mutating func addClick(to events: inout [Event]) {
            var click = event()
            var clicked = touch()
            clicked.shortLink = random.pick(RandomStream.shortLinks)
            if random.chance(90) { clicked.link.deferred = false }
            click.content = .linkClick(clicked)
            click.clickID = click.id.description
            click.userID = nil
            if random.chance(85) { click.deviceID = nil }
            var added = [click]
            let distances: [Duration] = [
                .zero, .seconds(60), .seconds(-3_600), .microseconds(-3_600_000_001), .days(7),
                .microseconds(7 * 86_400_000_000 + 1), .days(1),
            ]
            for _ in 0..<random.pick([0, 1, 1, 2, 3]) {
                var open = event()
                let link = touch()
                open.content =
                    random.chance(75)
                    ? .inboundLink(link)
                    : random.chance(70) ? .install(Install(link: link)) : .linkClick(link)
                open.clickID = random.chance(95) ? click.clickID : click.clickID?.uppercased()
                open.deviceID = random.pickOrNone(devices, percent: 80)
                if random.chance(80) {
                    open.occurredAt = click.occurredAt.advanced(by: random.pick(distances))
                }
                // The rest of the stream does not depend on it.
                let rest = random
                if random.chance(25) { open.content = content() }
                if random.chance(15) {
                    let late = random.pick([.days(90), .microseconds(90 * 86_400_000_000 + 1)] as [Duration])
                    open.occurredAt = click.occurredAt.advanced(by: late)
                }
                random = rest
                added.append(open)
            }
            for event in added { events.insert(event, at: Int.random(in: 0...events.count, using: &random)) }
        }

        /// Adds opens of an app that hands a deferred link over at several launches, anywhere among the events. Some of
        /// them name the click of another event.
        private mutating func addLaunches(to events: inout [Event]) {
            var link = touch()
            link.link.deferred = true
            link.link.clickedAt = random.pick(instants)
            link.link.testTraffic = false
            let device = random.pick(devices)
            let clicks = events.filter { $0.type == .linkClick }.map(\.id.description)
            for _ in 0..<random.pick([2, 2, 3]) {
                var open = event()
                open.deviceID = device
                if random.chance(80) { open.userID = nil }
                if random.chance(40) { open.clickID = clicks.isEmpty ? nil : random.pick(clicks) }
                if random.chance(15) { link.link.stated = random.pick([.clickedAt, .targetURL]) }
                // Another spelling of the same address. From a copy, so that the rest of the stream does not depend on
                // it.
                var other = random
                if other.chance(30) {
                    link.link.targetURL = link.link.targetURL.map {
                        $0.replacingOccurrences(of: "example.com", with: "EXAMPLE.com")
                            .replacingOccurrences(of: "shop:", with: "SHOP:") + "#launch"
                    }
                }
                open.content = random.chance(80) ? .inboundLink(link) : .install(Install(link: link))
                events.insert(open, at: Int.random(in: 0...events.count, using: &random))
            }
        }

        private mutating func event() -> Event {
            var event = Event(
                // Few high words, so that both words, as unsigned numbers, order the events of one instant.
                id: EventID(
                    high: random.pick([1, 0x0190_0000_0000_7000, 0xFFFF_0000_0000_4000]),
                    low: random.next()
                ),
                occurredAt: random.pick(instants),
                receivedAt: to.advanced(by: .days(101)),
                userID: random.pickOrNone(users, percent: 40),
                deviceID: random.pickOrNone(devices, percent: 55),
                clickID: random.pickOrNone(clicks, percent: 30),
                platform: random.pickOrNone(Platform.allCases, percent: 70),
                properties: nil,
                content: content()
            )
            // From a copy, so that the rest of the stream does not depend on it.
            var other = random
            event.appVersion = other.pickOrNone(["1.0", "1.1", "2.0"], percent: 60)
            event.country = other.pickOrNone(["DE", "US"], percent: 50)
            event.language = other.pickOrNone(["de", "en-US"], percent: 50)
            event.properties = other.pickOrNone(RandomStream.properties, percent: 70)
            if other.chance(30) { event.sentBy = .app }
            if case .install(var install) = event.content, other.chance(60) {
                install.beganAt = event.occurredAt.advanced(by: .seconds(-60))
                install.referrerClickedAt = event.occurredAt.advanced(by: .seconds(other.pick([-90, -60, -59, -1])))
                event.content = .install(install)
            }
            let mayBeNobodys = event.type == .feedPost || event.type == .linkClick
            if event.userID == nil, event.deviceID == nil, event.clickID == nil, !mayBeNobodys || random.chance(60) {
                event.deviceID = random.pick(devices)
            }
            return event
        }

        private mutating func content() -> Event.Content {
            switch Int.random(in: 0..<100, using: &random) {
            case ..<32: return .inboundLink(touch())
            case ..<44: return .linkClick(touch())
            case ..<58: return .feedPost(post())
            case ..<72:
                let link = random.chance(45) ? touch() : nil
                return .install(
                    Install(
                        limitAdTracking: random.pickOrNone([true, false], percent: 50),
                        link: link,
                        referrer: link == nil ? "utm_source=google-play&utm_medium=organic" : nil
                    )
                )
            case ..<83:
                let outcome = random.pick(LoginOutcome.allCases + [.granted, .granted, .granted])
                // From a copy, so that the rest of the stream does not depend on it.
                var other = random
                return .authentication(
                    Login(outcome: outcome, errorCode: other.pickOrNone([0, 200, 4201, -1], percent: 60))
                )
            case ..<88: return .appOpen
            default: return .conversion(conversion())
            }
        }

        private mutating func touch() -> Touch {
            var link = InboundLink()
            link.targetURL = random.pickOrNone(targets, percent: 75)
            link.authenticated = random.chance(35)
            link.channel = random.pick(Channel.allCases + [.storyLinks, .storyLinks, .bookmarks])
            link.rule = .explicit
            link.refs = someRefs(none: 45)
            link.refererApp = random.pickOrNone(["Facebook", "Messenger"], percent: 40)
            link.testTraffic = random.chance(6)
            link.form = random.pick(InboundLink.Form.allCases)
            link.paid = random.chance(20)
            if random.chance(30) {
                link.deferred = true
                link.clickedAt = random.pickOrNone(instants, percent: 40)
            }
            var touch = Touch(
                link: link,
                postID: random.pickOrNone(RandomStream.posts + ["post-unheard-of"], percent: 25),
                storyLink: link.refs.isEmpty ? random.pickOrNone(RandomStream.links, percent: 60) : nil,
                shortLink: random.pickOrNone(RandomStream.shortLinks, percent: 40)
            )
            // From a copy, so that the rest of the stream does not depend on it.
            var other = random
            if !link.refs.isEmpty, other.chance(30) { touch.link.stated = .shortLinkRefs }
            return touch
        }

        private mutating func post() -> FeedPost {
            let outcome = random.pick(PostOutcome.allCases + [.posted, .posted])
            let link = random.pickOrNone(RandomStream.links, percent: 70)
            let composer = random.pickOrNone(Composer.allCases, percent: 80)
            return FeedPost(
                outcome: outcome,
                postID: random.pickOrNone(RandomStream.posts, percent: outcome == .posted ? 60 : 8),
                refs: someRefs(none: 25),
                link: link,
                storyLink: link,
                composer: composer,
                actionType: composer == .openGraph ? "game:cook" : nil,
                objectID: composer == .openGraph ? link : nil
            )
        }

        private mutating func someRefs(none percent: Int) -> [String] {
            if random.chance(percent) { return [] }
            return Array(refs.shuffled(using: &random).prefix(random.pick([1, 1, 1, 2, 2, 3])))
        }

        private mutating func conversion() -> Conversion {
            let value: Int64 = random.pick([990_000, 1_230_000, 10_000, 25_000_000, 0, 100_010_000, 1, 333_333])
            guard random.chance(80) else { return Conversion(name: random.pick(RandomStream.goals)) }
            return Conversion(
                name: random.pick(RandomStream.goals),
                value: DecimalValue(millionths: value),
                currency: random.pick([RandomStream.currency, RandomStream.currency, "EUR"])
            )
        }

        /// A duplicate of an event: the same id with other content, or, for a post, another id.
        private mutating func duplicate(of original: Event) -> Event {
            var again = original
            if case .feedPost(let post) = original.content {
                var other = self.post()
                other.postID = post.postID
                again.content = .feedPost(other)
                if post.postID != nil, random.chance(50) { again.id = EventID(high: 2, low: random.next()) }
            } else if random.chance(50) {
                again.content = content()
                if case .feedPost = again.content { again.content = original.content }
            }
            if random.chance(50) { again.occurredAt = random.pick(instants) }
            if random.chance(50) { again.userID = random.pick(users) }
            again.receivedAt = original.receivedAt.advanced(by: .seconds(5))
            return again
        }
    }
}
