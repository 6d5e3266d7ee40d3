import Events
import Foundation
import InboundLinks
import Time

/// A brute-force reading of docs/events.md, *People*, and docs/reports.md, and of the story join of docs/links.md, *The story join*: what every
/// report must say about a set of events. It transcribes the definitions and knows nothing of how the product counts;
/// it is for streams of some dozen events.
///
/// The rows are the CSV cells of a report without its header. Where the contract is silent, a comment says what was
/// chosen.
struct Oracle {
    /// The app's currency: conversions in another count, but add no value.
    let currency: String
    /// The report's time zone: of days, weeks and cohorts.
    let timeZone: TimeZone
    /// What counts: without duplicates and test traffic. In no order.
    let facts: [Fact]

    /// - Parameter arrived: events that passed validation, in the order of arrival.
    init(events arrived: [Event], currency: String = "USD", timeZone: TimeZone = .gmt) {
        self.currency = currency
        self.timeZone = timeZone

        let stored = Self.stored(of: arrived)
        let people = People(events: stored)
        // Chosen: an install with a test link is test traffic as a whole, its install too.
        let counting = stored.filter { !Self.isTestTraffic($0) }

        var installsByPerson: [Person: [Event]] = [:]
        for event in counting where event.type == .install {
            guard let person = people.person(of: event) else { continue }
            installsByPerson[person, default: []].append(event)
        }
        let countedInstalls = installsByPerson.mapValues(Self.countedInstalls)
        let posts = counting.filter { $0.type == .feedPost }

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
                        platform: event.platform
                    )
                )
            }
            func touchFact(_ touch: Touch, isInboundLink: Bool, isDeferred: Bool) -> TouchFact {
                TouchFact(
                    isInboundLink: isInboundLink,
                    isDeferred: isDeferred,
                    isAuthenticated: touch.link.authenticated,
                    channel: touch.link.channel,
                    refs: Self.refs(of: touch, at: event.occurredAt, posts: posts).map(Name.init),
                    refererApp: touch.link.refererApp.map(Name.init),
                    platform: event.platform,
                    targetURL: touch.link.targetURL.map(Name.init),
                    post: Self.post(of: touch, at: event.occurredAt, posts: posts)
                )
            }
            func addTouch(_ touch: Touch, isInboundLink: Bool, isDeferred: Bool) {
                let fact = touchFact(touch, isInboundLink: isInboundLink, isDeferred: isDeferred)
                let time =
                    isDeferred
                    ? Self.deferredTime(touch.link, occurredAt: event.occurredAt, countedInstalls: installs)
                    : event.occurredAt
                add(.touch(fact), at: time)
            }

            switch event.content {
            case .inboundLink(let touch):
                addTouch(touch, isInboundLink: true, isDeferred: touch.link.deferred)
            case .linkClick(let touch):
                addTouch(touch, isInboundLink: false, isDeferred: touch.link.deferred)
            case .install(limitAdTracking: _, let link):
                add(.install(isCounted: installs.contains { $0.id == event.id }), at: event.occurredAt)
                facts[facts.count - 1].installLink = link.map {
                    touchFact($0, isInboundLink: true, isDeferred: true)
                }
                // "A deferred link may come with the install itself": deferred, whatever the link says of itself.
                if let link { addTouch(link, isInboundLink: true, isDeferred: true) }
            case .feedPost(let post):
                add(.feedPost(post), at: event.occurredAt)
            case .authentication:
                add(.authentication, at: event.occurredAt)
            case .conversion(let conversion):
                add(.conversion(conversion), at: event.occurredAt)
            }
        }
        self.facts = facts
    }

    /// Section 1: an event id is stored once, and so is a post id; the first to arrive wins. Chosen: an event that is
    /// itself dropped claims neither its event id nor its post id.
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

    static func isTestTraffic(_ event: Event) -> Bool {
        switch event.content {
        case .inboundLink(let touch), .linkClick(let touch): touch.link.testTraffic
        case .install(limitAdTracking: _, let link): link?.link.testTraffic ?? false
        case .feedPost, .authentication, .conversion: false
        }
    }

    /// "One within 90 days of the last counted install is a re-install and counts as nothing; a later one is an install
    /// again." 90 days to the microsecond is within.
    static func countedInstalls(of installs: [Event]) -> [Event] {
        var counted: [Event] = []
        for install in installs.sorted(by: { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }) {
            if let last = counted.last, install.occurredAt <= last.occurredAt.advanced(by: .days(90)) { continue }
            counted.append(install)
        }
        return counted
    }

    /// "`clicked_at` if known, else the person's latest counted install of the 24 h up to `occurred_at`, else
    /// `occurred_at`." Both ends are included.
    static func deferredTime(_ link: InboundLink, occurredAt: Timestamp, countedInstalls: [Event]) -> Timestamp {
        if let clickedAt = link.clickedAt { return clickedAt }
        let recent = countedInstalls.map(\.occurredAt).filter {
            occurredAt.advanced(by: .days(-1)) <= $0 && $0 <= occurredAt
        }
        return recent.max() ?? occurredAt
    }

    /// The story join (docs/links.md, *The story join*). Chosen: every touch joins, also a `link_click`; by post id whatever the
    /// post's outcome and time; a touch with a post id that no post has, and one whose post has no ref, stays without.
    /// Of two posts at the same instant the one with the greater event id is the later.
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
