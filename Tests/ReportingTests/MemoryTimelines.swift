import Events
@testable import Reporting
import Time
import InboundLinks
@testable import Timelines

/// Timelines of events in memory, with people and the story join by the oracle. Returns only what the query asks for,
/// so that a query that asks for too little fails a test.
struct MemoryTimelines: TimelineSource {
    let dictionary = TimelineDictionary()
    /// By the bytes of the key, because two spellings of é are equal as strings.
    private let people: [[UInt8]: [TimelineEvent]]
    private let nobodys: [TimelineEvent]

    init(_ arrived: [Event], query asked: TimelineQuery) {
        let query = asked.withClicks()
        let stored = Oracle.stored(of: arrived)
        let oracle = Oracle.People(events: stored)
        let posts = stored.filter { $0.type == .feedPost }
        if query.needsPostDetails {
            dictionary.storyPosts = StoryPostTable(details: Self.details(of: posts, oracle))
        }
        var people: [[UInt8]: [TimelineEvent]] = [:]
        var nobodys: [TimelineEvent] = []
        for event in stored where !Oracle.isTestTraffic(event) && query.wants(event) {
            let row = Self.row(event, posts: posts, query: query, dictionary: dictionary)
            if let person = oracle.person(of: event) {
                people[Array(Self.key(of: person).utf8), default: []].append(row)
            } else {
                nobodys.append(row)
            }
        }
        self.people = people
        self.nobodys = nobodys
    }

    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
        var timeline = PersonTimeline()
        for (key, events) in people {
            timeline.begin(keyText: String(decoding: key, as: UTF8.self))
            events.forEach { timeline.append($0) }
            timeline.finish()
            try body(timeline)
        }
        for event in nobodys {
            timeline.begin(keyText: nil)
            timeline.append(event)
            timeline.finish()
            try body(timeline)
        }
    }

    private static func details(of posts: [Event], _ people: Oracle.People) -> PostDetails {
        PostDetails(
            posts.map { event in
                let poster = people.person(of: event).map { key(of: $0) }
                guard case .feedPost(let post) = event.content else {
                    return PostDetails.Post(event: event.id, poster: poster, actionType: nil, object: nil)
                }
                return PostDetails.Post(
                    event: event.id,
                    poster: poster,
                    actionType: post.actionType,
                    object: post.objectID
                )
            }
        )
    }

    private static func key(of person: Oracle.Person) -> String {
        switch person {
        case .user(let name): "u\(name)"
        case .device(let name): "d\(name)"
        case .click(let name): "c\(name)"
        }
    }

    private static func row(
        _ event: Event,
        posts: [Event],
        query: TimelineQuery,
        dictionary: TimelineDictionary
    ) -> TimelineEvent {
        var row = TimelineEvent(occurredAt: event.occurredAt, id: event.id, type: event.type)
        row.platform = event.platform
        switch event.content {
        case .inboundLink(let touch), .linkClick(let touch),
            .install(limitAdTracking: _, link: let touch?, referrer: _):
            row.channel = touch.link.channel
            row.authenticated = touch.link.authenticated
            row.deferred = touch.link.deferred
            row.clickedAt = touch.link.clickedAt
            if query.needsRefs {
                row.refs = dictionary.refList(Oracle.refs(of: touch, at: event.occurredAt, posts: posts))
            }
            if query.needsStoryPosts, let post = Oracle.post(of: touch, at: event.occurredAt, posts: posts) {
                row.storyPost = dictionary.storyPost(post.id, at: post.occurredAt)
            }
            if query.needsReferers, let referer = touch.link.refererApp { row.referer = dictionary.referer(referer) }
            if query.needsForms {
                row.form = touch.link.form
                row.paid = touch.link.paid
            }
            row.hasShortLink = touch.shortLink != nil
            if event.type != .linkClick { row.openedClick = Oracle.openedClick(event) }
            if query.needsLinks, let link = touch.shortLink { row.shortLink = dictionary.link(link) }
            if query.needsTargets, let target = touch.link.targetURL { row.target = dictionary.target(target) }
        case .feedPost(let post):
            row.outcome = post.outcome
            row.composer = post.composer
            if query.needsRefs { row.refs = dictionary.refList(post.refs) }
        case .conversion(let conversion):
            row.goal = dictionary.goal(conversion.name)
            row.value = conversion.value?.millionths ?? 0
            if let currency = conversion.currency { row.currency = dictionary.currency(currency) }
        case .authentication(let login): row.login = login.outcome
        case .install(limitAdTracking: _, link: nil, referrer: _): break
        }
        return row
    }
}

extension TimelineQuery {
    /// The conditions of sql/reports/timelines.sql.
    fileprivate func wants(_ event: Event) -> Bool {
        guard types.contains(event.type) else { return false }
        let time = event.occurredAt
        if touchesFrom <= time, time <= through {
            return time >= eventsFrom || [.inboundLink, .linkClick, .install].contains(event.type)
        }
        let touch: Touch? =
            switch event.content {
            case .inboundLink(let touch), .linkClick(let touch): touch.link.deferred ? touch : nil
            case .install(limitAdTracking: _, let touch, referrer: _): touch
            case .feedPost, .authentication, .conversion: nil
            }
        if time < touchesFrom, event.type == .install { return true }
        guard let touch else { return false }
        if let clickedAt = touch.link.clickedAt { return touchesFrom <= clickedAt && clickedAt <= through }
        return time > through && time <= through.advanced(by: .days(1))
    }
}

extension PersonTimeline {
    mutating func begin(keyText: String?) {
        if let keyText {
            Array(keyText.utf8).withUnsafeBytes { begin(key: $0) }
        } else {
            begin(key: nil)
        }
    }
}
