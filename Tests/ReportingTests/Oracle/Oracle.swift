import Events
import Foundation
import InboundLinks
import Time

/// A brute-force implementation of docs/events.md, *People*, of docs/reports.md, and of docs/links.md, *The story
/// join*. It tells what every report must contain for a set of events. It transcribes the definitions and knows nothing
/// of how the product counts. It is for streams of some dozen events.
///
/// The rows are the CSV cells of a report without its header. If the pages leave something open, a comment says what
/// was chosen.
struct Oracle {
    /// The app's currency. Conversions in another one count, but add no value.
    let currency: String
    /// The report's time zone, for days, weeks and cohorts. Facts do not depend on it.
    var timeZone: TimeZone
    /// The facts that count, without duplicates and test traffic, in no order.
    var facts: [Fact]
    /// The oracle of all people, if only some count.
    var whole: [Oracle] = []
    let people: People
    let returns: [Return]
    /// The devices of installs, by their events.
    let installDevices: [EventID: Name]
    /// When the first event happened, whoever it is of.
    let firstEvent: Timestamp?
    /// When the report is asked for: a period that ends later is not over.
    var now = Timestamp(microseconds: .max)
    /// `--where`; all must hold.
    var conditions: [Condition] = []

    /// - Parameter arrived: events that passed validation, in the order of their arrival.
    init(events arrived: [Event], currency: String = "USD", timeZone: TimeZone = .gmt) {
        self.currency = currency
        self.timeZone = timeZone

        let stored = Self.stored(of: arrived)
        let people = People(events: stored)
        self.people = people
        // Chosen: an install with a test link is test traffic as a whole.
        let counting = stored.filter { !Self.isTestTraffic($0) }
        firstEvent = counting.map(\.occurredAt).min()

        var installDevices: [EventID: Name] = [:]
        for event in counting where event.type == .install { installDevices[event.id] = event.deviceID.map(Name.init) }
        self.installDevices = installDevices

        var installsByPerson: [Person: [Event]] = [:]
        for event in counting where event.type == .install {
            guard let person = people.person(of: event) else { continue }
            installsByPerson[person, default: []].append(event)
        }
        let countedInstalls = installsByPerson.mapValues(Self.countedInstalls)
        returns = counting.compactMap { event in
            Self.openedClick(event).map {
                Return(person: people.person(of: event), click: $0, time: event.occurredAt)
            }
        }
        let posts = counting.filter { $0.type == .feedPost }

        let properties = Properties(of: counting, people)
        var facts: [Fact] = []
        for event in counting {
            let person = people.person(of: event)
            let installs = person.flatMap { countedInstalls[$0] } ?? []

            func add(_ kind: Fact.Kind, at time: Timestamp) {
                facts.append(
                    Fact(
                        number: facts.count,
                        eventID: event.id,
                        time: time,
                        person: person,
                        kind: kind,
                        platform: event.platform,
                        appVersion: event.appVersion,
                        country: event.country,
                        language: event.language,
                        sentBy: event.sentBy,
                        properties: properties.names(of: event)
                    )
                )
            }
            func touchFact(_ touch: Touch, isInboundLink: Bool, isDeferred: Bool) -> TouchFact {
                let refs = Self.refs(of: touch, at: event.occurredAt, posts: posts)
                return TouchFact(
                    isInboundLink: isInboundLink,
                    openedClick: isInboundLink ? Self.openedClick(event) : nil,
                    tap: isInboundLink ? Self.tap(event) : nil,
                    occurredAt: event.occurredAt,
                    toldTime: isDeferred ? Self.tapTime(touch.link, event) ?? event.occurredAt : event.occurredAt,
                    isDeferred: isDeferred,
                    tellsTime: touch.link.clickedAt != nil,
                    isAuthenticated: touch.link.authenticated,
                    isPaid: touch.link.paid,
                    form: touch.link.form,
                    channel: touch.link.channel,
                    refs: refs.map(Name.init),
                    refFrom: Self.refFrom(of: touch, refs),
                    refererApp: touch.link.refererApp.map(Name.init),
                    platform: event.platform,
                    targetURL: touch.link.targetURL.map(Name.init),
                    pageTarget: touch.link.targetURL.map(Name.init),
                    shortLink: touch.shortLink.map(Name.init),
                    post: Self.post(of: touch, at: event.occurredAt, posts: posts)
                )
            }
            func addTouch(_ touch: Touch, isInboundLink: Bool, isDeferred: Bool) {
                let fact = touchFact(touch, isInboundLink: isInboundLink, isDeferred: isDeferred)
                let time =
                    isDeferred
                    ? Self.deferredTime(touch.link, event, countedInstalls: installs)
                    : event.occurredAt
                add(.touch(fact), at: time)
            }

            switch event.content {
            case .inboundLink(let touch):
                addTouch(touch, isInboundLink: true, isDeferred: touch.link.deferred)
            case .linkClick(let touch):
                addTouch(touch, isInboundLink: false, isDeferred: touch.link.deferred)
            case .install(let install):
                add(.install(isCounted: installs.contains { $0.id == event.id }), at: event.occurredAt)
                // "A click after the download began is injected."
                var isInjected = false
                if let click = install.referrerClickedAt, let download = install.beganAt {
                    isInjected = click > download
                }
                let joinedBy = install.link != nil ? "link" : Self.openedClick(event) != nil ? "click" : nil
                facts[facts.count - 1].isInjected = isInjected
                facts[facts.count - 1].joinedBy = joinedBy
                facts[facts.count - 1].installLink = install.link.map {
                    touchFact($0, isInboundLink: true, isDeferred: true)
                }
                // "An `install` that came with a `url` is two things: an install, and a deferred `inbound_link` touch",
                // whatever the link says of itself.
                if let link = install.link { addTouch(link, isInboundLink: true, isDeferred: true) }
                facts[facts.count - 1].isInjected = isInjected
                facts[facts.count - 1].joinedBy = joinedBy
            case .feedPost(let post):
                add(.feedPost(post), at: event.occurredAt)
            case .authentication(let login):
                add(.authentication(login), at: event.occurredAt)
            case .conversion(let conversion):
                add(.conversion(conversion), at: event.occurredAt)
                facts[facts.count - 1].saleOutcome = Self.saleOutcome(of: conversion, in: currency)
            case .appOpen:
                add(.appOpen, at: event.occurredAt)
            }
        }
        self.facts = Self.joined(Self.toldOnce(facts))
    }

    /// An event id is stored once, and so is a post id; the first to arrive wins. Chosen: an event that is itself
    /// dropped claims neither its event id nor its post id.
    static func stored(of arrived: [Event]) -> [Event] {
        var eventIDs: Set<EventID> = []
        var postIDs: Set<Name> = []
        var stored: [Event] = []
        for event in arrived {
            if eventIDs.contains(event.id) { continue }
            if case .feedPost(let post) = event.content, let postID = post.postID.map(Name.init) {
                if postIDs.contains(postID) { continue }
                postIDs.insert(postID)
            }
            eventIDs.insert(event.id)
            stored.append(event)
        }
        return stored
    }

    /// docs/reports.md, *Conditions on steps*.
    private static func saleOutcome(of conversion: Conversion, in currency: String) -> String? {
        let value = conversion.value?.millionths ?? 0
        if value == 0 { return "free" }
        guard conversion.currency == currency else { return nil }
        return value > 0 ? "paid" : "refunded"
    }

    static func isTestTraffic(_ event: Event) -> Bool {
        event.touch?.link.testTraffic ?? false
    }

    /// "Another `install` within 90 days of the last counted one (exactly 90 days included) is a re-install and is not
    /// counted. A later one is an install again."
    static func countedInstalls(of installs: [Event]) -> [Event] {
        var counted: [Event] = []
        for install in installs.sorted(by: { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }) {
            if let last = counted.last, install.occurredAt <= last.occurredAt.advanced(by: .days(90)) { continue }
            counted.append(install)
        }
        return counted
    }

    /// "This is `clicked_at` if it is known, otherwise the time of the person's latest counted install of the 24 hours
    /// up to `occurred_at`, otherwise `occurred_at`." Both ends are included.
    static func deferredTime(_ link: InboundLink, _ event: Event, countedInstalls: [Event]) -> Timestamp {
        if let tapTime = tapTime(link, event) { return tapTime }
        let recent = countedInstalls.map(\.occurredAt).filter {
            event.occurredAt.advanced(by: .days(-1)) <= $0 && $0 <= event.occurredAt
        }
        return recent.max() ?? event.occurredAt
    }

    /// "A tap that is said to be later than its open counts at the open."
    static func tapTime(_ link: InboundLink, _ event: Event) -> Timestamp? {
        link.clickedAt.map { min($0, event.occurredAt) }
    }

    /// The story join (docs/links.md, *The story join*). Chosen: every touch joins, including a `link_click`; by post
    /// id whatever the post's outcome and time. A touch with a post id that no post has, and one whose post has no ref,
    /// get no ref. Of two posts at the same instant, the one with the greater event id is the later one.
    static func refs(of touch: Touch, at occurredAt: Timestamp, posts: [Event]) -> [String] {
        if !touch.link.refs.isEmpty { return touch.link.refs }
        let told = posts.compactMap { event -> (event: Event, post: FeedPost)? in
            if case .feedPost(let post) = event.content { (event, post) } else { nil }
        }
        if let postID = touch.postID.map(Name.init) {
            return told.first { $0.post.postID.map(Name.init) == postID }?.post.refs ?? []
        }
        guard let link = touch.storyLink.map(Name.init) else { return [] }
        let candidates = told.filter { event, post in
            post.storyLink.map(Name.init) == link
                && (post.outcome == .posted || post.outcome == .unconfirmed)
                && event.occurredAt <= occurredAt
        }
        let latest = candidates.max { ($0.event.occurredAt, $0.event.id) < ($1.event.occurredAt, $1.event.id) }
        return latest?.post.refs ?? []
    }

    /// docs/links.md, *Where a ref comes from*.
    ///
    /// - Parameter refs: those after the story join.
    static func refFrom(of touch: Touch, _ refs: [String]) -> Name {
        if refs.isEmpty { return .none }
        if touch.link.refs.isEmpty { return Name(touch.postID == nil ? "url" : "post") }
        return Name(touch.link.stated.contains(.shortLinkRefs) ? "short_link" : "link")
    }
}

extension Oracle {
    /// docs/reports.md, *viral*: which post a touch came from.
    static func post(of touch: Touch, at occurredAt: Timestamp, posts: [Event]) -> Event? {
        func told(_ event: Event) -> FeedPost? {
            if case .feedPost(let post) = event.content { post } else { nil }
        }
        if let postID = touch.postID {
            // "A touch that carries a `post_id` came from the post with that id, whatever became of the post, and also
            // where the touch has refs of its own."
            return posts.first { told($0)?.postID.map(Name.init) == Name(postID) }
        }
        guard touch.link.refs.isEmpty, let link = touch.storyLink else { return nil }
        return
            posts
            .filter { event in
                guard let post = told(event), let posted = post.storyLink else { return false }
                return Name(posted) == Name(link) && [.posted, .unconfirmed].contains(post.outcome)
                    && event.occurredAt <= occurredAt
            }
            .sorted { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
            .last
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration {
        .seconds(count * 86_400)
    }
}
