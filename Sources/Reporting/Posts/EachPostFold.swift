import Events
import InboundLinks
import Time
import Timelines

/// The single posts of the range and what they brought, those that brought nobody too.
struct EachPostFold {
    /// What a post brought.
    private struct Brought {
        var touches = TouchCounts()
        /// The position of the credits; −1: it has none.
        var credits: Int32 = -1
    }

    private struct Post {
        var event: EventID
        var time: Timestamp
        /// The position of what it brought; −1: it brought nothing.
        var brought: Int32 = -1
    }

    private let report: PostsReport
    private let range: ReportRange
    private let events: CreditedEvents
    private let dictionary: TimelineDictionary
    /// Which posts are kept: whole, also if a condition is on one of several refs.
    private let groups: PostGroups
    /// The posts of the range, as their own events say.
    private var posted: [Post] = []
    /// Of the posts that brought something, by their numbers in the dictionary.
    private var brought = GroupTable(empty: Brought())
    private var credits: [LastTouchCredits] = []
    private var total = (touches: TouchCounts(), credits: LastTouchCredits())
    private var touching = GroupPeople()
    private var people = 0
    private(set) var others: OtherCurrencies

    init(_ report: PostsReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        dictionary = run.dictionary
        groups = PostGroups(by: [], report.filter, run.dictionary)
        events = CreditedEvents(
            range: run.range,
            goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
        others = OtherCurrencies(run)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches where range.contains(touch.time) {
            guard let position = position(ofStory: person.events[touch.event].storyPost) else { continue }
            total.touches.add(touch, of: number)
            if brought[position].touches.add(touch, of: number) { touching.add(people, to: position) }
        }
        for position in person.events.indices {
            let event = person.events[position]
            guard case .posted? = event.outcome, range.contains(event.occurredAt), isKept({ groups.post(event) })
            else { continue }
            posted.append(Post(event: event.id, time: event.occurredAt))
        }
        let events = events
        events.forEach(of: person) { event in
            guard let touch = person.lastTouch(before: event, within: report.lookback.microseconds),
                let position = position(ofStory: person.events[touch.event].storyPost)
            else { return }
            credits[creditsPosition(of: position)].add(event, units: CreditUnits.one)
            total.credits.add(event, units: CreditUnits.one)
            others.add(person.events[event.position])
        }
    }

    private func isKept(_ post: () -> PostGroups.Post) -> Bool {
        report.filter.isEmpty || groups.keeps(post())
    }

    /// The position of what the post brought that a touch came from; nil if it came from none that is counted.
    private mutating func position(ofStory code: Code) -> Int? {
        guard !code.isNone, range.contains(dictionary.storyPosts.time(of: code)), isKept({ groups.post(code) })
        else { return nil }
        return brought.position(of: GroupKey(code: code))
    }

    private mutating func creditsPosition(of position: Int) -> Int {
        if brought[position].credits < 0 {
            brought[position].credits = Int32(credits.count)
            credits.append(LastTouchCredits())
        }
        return Int(brought[position].credits)
    }

    /// In bytes, with the list of all posts that is made at the end.
    var size: Int {
        posted.heldSize + brought.size + credits.heldSize + touching.size
            + (posted.count + brought.rows.count) * MemoryLayout<Post>.stride
    }

    mutating func merge(_ other: EachPostFold) {
        posted += other.posted
        credits.reserveCapacity(credits.count + other.credits.count)
        let places = brought.merge(other.brought) { $0.touches += $1.touches }
        for (place, brought) in zip(places, other.brought.rows) where brought.credits >= 0 {
            credits[creditsPosition(of: Int(place))] += other.credits[Int(brought.credits)]
        }
        touching.merge(other.touching, at: places)
        total.touches += other.total.touches
        total.credits += other.total.credits
        others += other.others
    }

    /// The posts in the order of the report; those that it leaves open by touches, then by time.
    consuming func finish() -> [[ReportCell]] {
        let posts = posts()
        let shown = smallest(report.limit ?? posts.count, of: posts) { one, other in
            let values = (sortValue(of: one), sortValue(of: other))
            if values.0 != values.1 { return (values.0 > values.1) != report.isReversed }
            let touches = (touches(of: one).touches, touches(of: other).touches)
            if touches.0 != touches.1 { return touches.0 > touches.1 }
            return one.time == other.time ? one.event < other.event : one.time < other.time
        }
        var cells = shown.map { post in
            [.text(post.event.description), .text(post.time.rfc3339), .empty, .empty, .empty, .empty]
                + Self.figures(touches(of: post), credits(of: post))
        }
        if shown.count < posts.count {
            let others = others(than: shown)
            cells.append(Self.name(ReportNames.others) + Self.figures(others.touches, others.credits))
        }
        cells.append(Self.name(ReportNames.total) + Self.figures(total.touches, total.credits))
        return cells
    }

    /// The posts that brought something, and all others of the range.
    private func posts() -> [Post] {
        let stories = dictionary.storyPosts
        var posts = brought.keys.enumerated().map { position, key in
            Post(event: stories.event(of: key.code), time: stories.time(of: key.code), brought: Int32(position))
        }
        posts.sort { $0.event < $1.event }
        let known = posts.count
        for post in posted {
            let position = posts[..<known].firstPosition { $0.event >= post.event }
            if position == known || posts[position].event != post.event { posts.append(post) }
        }
        return posts
    }

    /// As shown, so that hidden digits never decide the order.
    private func sortValue(of post: Post) -> Int128 {
        switch report.sortColumn {
        case .touches: Int128(touches(of: post).touches)
        case .people: Int128(touches(of: post).people)
        case .installs: credits(of: post).installs.millionths
        case .conversions: credits(of: post).conversions.millionths
        case .value: credits(of: post).conversions.valueMillionths
        case .postedAt: Int128(post.time.microseconds)
        }
    }

    private func others(than shown: [Post]) -> (touches: TouchCounts, credits: LastTouchCredits) {
        let isOther = brought.areOthers(than: shown.filter { $0.brought >= 0 }.map { Int($0.brought) })
        var others = (touches: TouchCounts(), credits: LastTouchCredits())
        for position in brought.rows.indices where isOther[position] {
            others.touches += brought[position].touches
            others.credits += credits(at: position)
        }
        others.touches.replacePeople(with: touching.count(of: isOther))
        return others
    }

    private func touches(of post: Post) -> TouchCounts {
        post.brought < 0 ? TouchCounts() : brought[Int(post.brought)].touches
    }

    private func credits(of post: Post) -> LastTouchCredits {
        post.brought < 0 ? LastTouchCredits() : credits(at: Int(post.brought))
    }

    private func credits(at position: Int) -> LastTouchCredits {
        brought[position].credits < 0 ? LastTouchCredits() : credits[Int(brought[position].credits)]
    }

    private static func name(_ name: String) -> [ReportCell] {
        [.text(name)] + Array(repeating: .empty, count: 5)
    }

    private static func figures(_ touches: TouchCounts, _ credits: LastTouchCredits) -> [ReportCell] {
        touches.cells.prefix(2) + credits.cells
    }
}
