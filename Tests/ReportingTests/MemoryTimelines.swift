import Events
@testable import Reporting
import Time
import InboundLinks
import Storage
@testable import Timelines

/// Events in memory as a database would have them, with people and the story join by the oracle.
struct MemoryEvents {
    fileprivate struct Stored {
        let event: Event
        let refs: [String]
        let post: Event?
    }

    /// By person, in the order of their first events. An event of nobody is alone.
    fileprivate let people: [(key: String?, events: [Stored])]
    fileprivate let posts: [PostDetails.Post]
    fileprivate let sharedDevices: SharedDevices
    /// The values of declared properties with rows of their own.
    fileprivate let kept: [String: Set<[UInt8]>]

    init(_ arrived: [Event]) {
        let stored = Oracle.stored(of: arrived)
        let oracle = Oracle.People(events: stored)
        let posts = stored.filter { $0.type == .feedPost }
        let properties = Oracle.Properties(of: stored.filter { !Oracle.isTestTraffic($0) }, oracle)
        kept = Dictionary(
            uniqueKeysWithValues: properties.kept.map { ($0.rawValue, Set($1.map { Array($0.text.utf8) })) }
        )
        self.posts = MemoryTimelines.details(of: posts, oracle)
        var people: [(key: String?, events: [Stored])] = []
        // By the bytes of the key, because two spellings of é are equal as strings.
        var positions: [[UInt8]: Int] = [:]
        for event in stored where !Oracle.isTestTraffic(event) {
            let touch = event.touch
            let new = Stored(
                event: event,
                refs: touch.map { Oracle.refs(of: $0, at: event.occurredAt, posts: posts) } ?? [],
                post: touch.flatMap { Oracle.post(of: $0, at: event.occurredAt, posts: posts) }
            )
            let key = oracle.person(of: event).map(MemoryTimelines.key)
            if let key, let position = positions[Array(key.utf8)] {
                people[position].events.append(new)
            } else {
                if let key { positions[Array(key.utf8)] = people.count }
                people.append((key, [new]))
            }
        }
        self.people = people
        let installs = people.flatMap { person in
            person.events.filter { $0.event.type == .install }.compactMap { stored in
                stored.event.deviceID.map { (device: Oracle.Name($0), person: person.key, event: stored.event.id) }
            }
        }
        let devices = Dictionary(grouping: installs, by: \.device).values
            .filter { Set($0.map { Oracle.Name($0.person ?? "") }).count > 1 }
        sharedDevices = SharedDevices(
            devices.enumerated().flatMap { number, installs in installs.map { ($0.event, Int32(number)) } }
        )
    }

    /// The request with what the database knows of the app. One whose preceding range began before the first event is
    /// not told: in memory, it is compared all the same.
    func telling(_ request: ReportRequest) -> ReportRequest {
        var told = request
        told.firstEvent = people.flatMap(\.events).map(\.event.occurredAt).min()
        return told.comparedRange == told.previous ? told : request
    }
}

/// Timelines of events in memory. Returns only what the query asks for, so that a query that asks for too little fails
/// a test.
struct MemoryTimelines: TimelineSource {
    let dictionary: TimelineDictionary
    private let people: [(key: String?, events: [TimelineEvent])]

    init(_ events: MemoryEvents, query asked: TimelineQuery) {
        let query = asked.withClicks()
        let kept = query.properties.compactMapValues { events.kept[$0.name] }
        let dictionary = TimelineDictionary(properties: PropertyValues(query.properties, kept: kept))
        self.dictionary = dictionary
        if query.needs.contains(.postDetails) {
            dictionary.storyPosts = StoryPostTable(details: PostDetails(events.posts, dictionary: dictionary))
        }
        if query.needs.contains(.sharedDevices) { dictionary.sharedDevices = events.sharedDevices }
        people = events.people.compactMap { key, events in
            let wanted = events.filter { query.wants($0.event) }
            return wanted.isEmpty
                ? nil : (key, wanted.map { Self.row($0, query: query, dictionary: dictionary) })
        }
    }

    init(_ arrived: [Event], query: TimelineQuery) {
        self.init(MemoryEvents(arrived), query: query)
    }

    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws {
        var timeline = PersonTimeline()
        for (key, events) in people {
            timeline.begin(keyText: key)
            events.forEach { timeline.append($0) }
            timeline.finish(dictionary)
            try body(timeline)
        }
    }

    fileprivate static func details(of posts: [Event], _ people: Oracle.People) -> [PostDetails.Post] {
        posts.map { event in
            var details = PostDetails.Post(event: event.id, poster: people.person(of: event).map { key(of: $0) })
            details.platform = event.platform
            guard case .feedPost(let post) = event.content else { return details }
            details.refs = post.refs
            details.composer = post.composer
            details.actionType = post.actionType
            details.object = post.objectID
            return details
        }
    }

    fileprivate static func key(of person: Oracle.Person) -> String {
        switch person {
        case .user(let name): "u\(name)"
        case .device(let name): "d\(name)"
        case .click(let name): "c\(name)"
        }
    }

    private static func row(
        _ stored: MemoryEvents.Stored,
        query: TimelineQuery,
        dictionary: TimelineDictionary
    ) -> TimelineEvent {
        let (event, needs) = (stored.event, query.needs)
        var row = TimelineEvent(occurredAt: event.occurredAt, id: event.id, type: event.type)
        row.platform = event.platform
        row.sentBy = event.sentBy
        if case .install(let install) = event.content { row.isInjected = install.isInjected }
        if needs.contains(.appVersions), let text = event.appVersion {
            row.appVersion = dictionary.code(of: text, as: .appVersion)
        }
        if needs.contains(.countries), let text = event.country {
            row.country = dictionary.code(of: text, as: .country)
        }
        if needs.contains(.languages), let text = event.language {
            row.language = dictionary.code(of: text, as: .language)
        }
        row.properties = dictionary.properties(
            query.properties.sorted { $0.key < $1.key }.compactMap { _, property in
                Oracle.Grouping(rawValue: property.name).flatMap { Oracle.Properties.value(of: $0, in: event) }
                    .map { (property, $0.text) }
            }
        )
        if let touch = event.touch {
            row.channel = touch.link.channel
            row.authenticated = touch.link.authenticated
            row.deferred = touch.link.deferred
            row.clickedAt = touch.link.clickedAt
            row.tappedTarget = Oracle.tap(event).map { Int64(truncatingIfNeeded: $0.target.hashValue) }
            if needs.contains(.refs) { row.refs = dictionary.refList(stored.refs) }
            if needs.contains(.refOrigins) {
                row.refOrigin = RefOrigin(rawValue: Oracle.refFrom(of: touch, stored.refs).text)
            }
            if needs.contains(.storyPosts), let post = stored.post {
                row.storyPost = dictionary.storyPost(post.id, at: post.occurredAt)
            }
            if needs.contains(.referers), let referer = touch.link.refererApp {
                row.referer = dictionary.code(of: referer, as: .referer)
            }
            if needs.contains(.forms) {
                row.form = touch.link.form
                row.paid = touch.link.paid
            }
            row.hasShortLink = touch.shortLink != nil
            if needs.contains(.links), let link = touch.shortLink {
                row.shortLink = dictionary.code(of: link, as: .link)
            }
            if needs.contains(.targets), let target = touch.link.targetURL {
                row.target = dictionary.code(of: target, as: .target)
            }
        }
        row.openedClick = Oracle.openedClick(event)
        switch event.content {
        case .feedPost(let post):
            row.outcome = post.outcome
            row.composer = post.composer
            if needs.contains(.refs) { row.refs = dictionary.refList(post.refs) }
        case .conversion(let conversion):
            if needs.contains(.goals) { row.goal = dictionary.code(of: conversion.name, as: .goal) }
            row.value = conversion.value?.millionths ?? 0
            if let currency = conversion.currency { row.currency = dictionary.code(of: currency, as: .currency) }
        case .authentication(let login): row.login = login.outcome
        case .inboundLink, .linkClick, .install, .appOpen: break
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
            case .install(let install): install.link
            case .feedPost, .authentication, .conversion, .appOpen: nil
            }
        if time < touchesFrom, event.type == .install { return true }
        guard let touch else { return false }
        if let clickedAt = touch.link.clickedAt {
            return touchesFrom <= clickedAt && (time < touchesFrom || clickedAt <= through)
        }
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
