import Events
import InboundLinks
import Time
import Timelines

/// The posts or people that `compare` compares by other metrics than a funnel.
struct ComparedUnits {
    struct Side {
        var counts = UnitCounts()
        /// Units whose window is not over.
        var open: Int64 = 0
    }

    private struct Post {
        var event: EventID
        var side: Int
    }

    private let metric: CompareMetric
    private let range: ReportRange
    private let window: Duration
    private let now: Timestamp
    private let finder: GroupFinder
    private let matcher: EventMatcher?
    private let dictionary: TimelineDictionary
    /// The positions of `a` and the others in `sides`.
    private var positions: [GroupKey: Int] = [:]
    private var sides: [Side]
    // Of taps_per_post: the posts of the range, and the touches that came from them, by the posts' numbers in the
    // dictionary.
    private var posts: [Post] = []
    private var taps = GroupTable(empty: Int64(0))

    init(_ report: CompareReport, _ run: ReportRun) {
        metric = report.metric
        range = run.range
        window = report.window.duration
        now = run.now
        dictionary = run.dictionary
        matcher = report.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: matcher, run)
        let names = [report.a] + report.others
        sides = names.map { _ in Side() }
        for (position, name) in names.enumerated() { finder.key(named: name).map { positions[$0] = position } }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        switch metric {
        case .funnel: break
        case .tapsPerPost: addPosts(of: person)
        case .postsPerPerson: if person.isPerson { addPoster(person) }
        case .loginFailure: if person.isPerson { addLogins(of: person) }
        }
    }

    /// Calls `body` with each side of an event.
    private func forEachSide(of event: TimelineEvent, at time: Timestamp, _ body: (Int) -> Void) {
        guard range.contains(time), matcher?.keeps(event) ?? true else { return }
        finder.forEachKey(of: event, at: time) { key in
            if let side = positions[key] { body(side) }
        }
    }

    private mutating func addPosts(of person: borrowing PersonTimeline) {
        for touch in person.touches {
            let code = person.events[touch.event].storyPost
            guard !code.isNone else { continue }
            let posted = dictionary.storyPosts.time(of: code)
            guard range.contains(posted), isWithin(touch.time, since: posted) else { continue }
            taps.update(GroupKey(code: code)) { $0 += 1 }
        }
        for position in person.events.indices {
            let event = person.events[position]
            guard case .posted? = event.outcome else { continue }
            var own: [Int] = []
            forEachSide(of: event, at: event.occurredAt) { own.append($0) }
            for side in own {
                posts.append(Post(event: event.id, side: side))
                if isOpen(since: event.occurredAt) { sides[side].open += 1 }
            }
        }
    }

    /// Counts the posts of a person after the first touch of each side.
    private mutating func addPoster(_ person: borrowing PersonTimeline) {
        var firsts: [Int: Timestamp] = [:]
        for touch in person.touches {
            forEachSide(of: person.events[touch.event], at: touch.time) { side in
                firsts[side] = min(firsts[side] ?? touch.time, touch.time)
            }
        }
        for (side, first) in firsts {
            var count: Int64 = 0
            for position in person.events.indices {
                guard case .posted? = person.events[position].outcome,
                    isWithin(person.events[position].occurredAt, since: first)
                else { continue }
                count += 1
            }
            sides[side].counts.add(count)
            if isOpen(since: first) { sides[side].open += 1 }
        }
    }

    /// Attempts of one person depend on each other, so a person who failed counts once.
    private mutating func addLogins(of person: borrowing PersonTimeline) {
        var failures: [Int: Bool] = [:]
        for position in person.events.indices {
            let event = person.events[position]
            guard case .authentication = event.type else { continue }
            forEachSide(of: event, at: event.occurredAt) { side in
                failures[side] = failures[side] ?? false || event.login == .failed
            }
        }
        for (side, hasFailed) in failures { sides[side].counts.add(hasFailed ? 1 : 0) }
    }

    private func isWithin(_ time: Timestamp, since start: Timestamp) -> Bool {
        start <= time && time <= start.advanced(by: window)
    }

    private func isOpen(since start: Timestamp) -> Bool { start.advanced(by: window) >= now }

    var size: Int { posts.heldSize + taps.size }

    mutating func merge(_ other: ComparedUnits) {
        posts += other.posts
        _ = taps.merge(other.taps, +=)
        for side in sides.indices {
            sides[side].counts += other.sides[side].counts
            sides[side].open += other.sides[side].open
        }
    }

    /// `a` and the others, in the order of the report.
    func finish() -> [Side] {
        var sides = sides
        var brought: [EventID: Int64] = [:]
        for (key, count) in zip(taps.keys, taps.rows) { brought[dictionary.storyPosts.event(of: key.code)] = count }
        for post in posts { sides[post.side].counts.add(brought[post.event] ?? 0) }
        return sides
    }
}
