import Events
import InboundLinks
import Time
import Timelines

/// Whether people bring people: the viral coefficient, and how long a cycle takes.
struct ViralReport: Report {
    static let name = "viral"
    static let summary =
        "Installs that posts brought for each person who posted (the viral coefficient K), and how long it took."
    static let examples = ["--within 7d --matured", "--by channel --from 7d"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "GROUPING",
            "What the posts' touches are grouped by.",
            default: "ref",
            allowed: EventGrouping.filterKeys.map(\.rawValue)
        ),
        .filter(EventGrouping.filterKeys),
        .lookback,
        ReportParameter(
            "within",
            "DURATION",
            "Count what the posts of the range brought up to this long after each post, even after the range (\(ReportDuration.limitText)). So K does not depend on the length of the range."
        ),
        .matured,
    ]
    static let columns: [ReportColumn] = [
        .text(
            "group",
            "The ref, or what `--by` names; `(none)` counts posts and touches without it, `total` counts everything."
        ),
        .integer(
            "posts",
            unit: "posts",
            "Feed posts in the range with the outcome `posted`. By a property that posts do not have, such as the channel, those of `total` in every row."
        ),
        .integer(
            "posters",
            unit: "people",
            "Distinct people with a posted story. By a property that posts do not have, such as the channel, those of `total` in every row."
        ),
        .integer(
            "touches",
            unit: "touches",
            "Touches in the range that came from a post. With `--within`, those up to that long after a post of the range."
        ),
        .touchPeople,
        .integer(
            "untraced_touches",
            unit: "touches",
            "Touches in the range that have a ref but came from no known post. They count nowhere else in the row."
        ),
        .decimal(
            "installs",
            unit: "installs",
            "Last-touch credits of installs in the range whose touch came from a post. With `--within`, those up to that long after a post of the range."
        ),
        .ratio(
            "k",
            unit: "installs per person",
            "`installs` ÷ `posters`: the viral coefficient *K*. Empty if there are untraced touches and no traced ones."
        ),
        .integer("posts_with_installs", unit: "posts", "Posts in the range that brought one of the installs."),
        .decimal(
            "cycle_median_seconds",
            unit: "seconds",
            "The median, over these posts, of the time from the post to the first install that it brought."
        ),
    ]

    let grouping: EventGrouping
    let filter: EventFilter
    let lookback: ReportDuration
    /// How long after its post something counts, for the posts of the range; nil: what happened in the range counts,
    /// whenever it was posted.
    let within: ReportDuration?

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        grouping = try parameters.choice("by", default: .ref, among: EventGrouping.filterKeys)
        filter = try EventFilter(reading: &parameters, keys: EventGrouping.filterKeys)
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
        within = parameters.isGiven("within") ? try parameters.duration("within", default: lookback) : nil
    }

    var namedValues: [NamedValue] { filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery(
            types: TimelineQuery.touchTypes.union([.feedPost]),
            touchesFrom: range.from.advanced(by: .zero - lookback.duration),
            eventsFrom: range.from,
            through: range.to.advanced(by: within?.duration ?? .zero),
            needsRefs: true,
            needsStoryPosts: true
        )
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    /// A post that was published here or later may still bring installs within its time.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? {
        within.map { now.advanced(by: .zero - $0.duration) }
    }

    /// Whether posts have the property of the groups. A story goes out on all channels, so a post has none.
    var groupsPosts: Bool { EventGrouping.allowed(for: .feedPost).contains(grouping) }

    func makeFold(_ run: ReportRun) -> ViralFold {
        ViralFold(self, run)
    }
}

struct ViralFold: ReportFold {
    private struct Row {
        var posts = PostCounts()
        var touches = TouchCounts()
        var untraced: Int64 = 0
        var installs = CreditSum()

        var isZero: Bool { posts.posted == 0 && touches.touches == 0 && untraced == 0 && installs.units == 0 }

        /// Whether touches came with a ref, but from no known post: nobody can say what posts brought.
        var isUntraceable: Bool { untraced > 0 && touches.touches == 0 && installs.units == 0 }

        static func += (row: inout Row, other: Row) {
            row.posts += other.posts
            row.touches += other.touches
            row.untraced += other.untraced
            row.installs += other.installs
        }
    }

    private let report: ViralReport
    private let events: CreditedEvents
    private let range: ReportRange
    private let dictionary: TimelineDictionary
    private let matcher: EventMatcher?
    /// Of the conditions, those on properties that posts have.
    private let postMatcher: EventMatcher?
    /// By the property's number or code.
    private var groups = RowsByCode(empty: Row())
    /// The row of posts and touches without the property.
    private var none = Row()
    private var total = Row()
    private var cycles = PostCycles()
    private var people = 0

    init(_ report: ViralReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        dictionary = run.dictionary
        matcher = report.filter.makeMatcher(run.dictionary)
        postMatcher = report.filter.ofPosts.makeMatcher(run.dictionary)
        let end = run.range.to.advanced(by: report.within?.duration ?? .zero)
        events = CreditedEvents(
            range: ReportRange(from: run.range.from, to: end),
            conversions: false,
            currency: run.dictionary.currency(run.currency)
        )
        if report.grouping == .channel {
            for channel in Channel.allCases { groups.update(channel.position) { _ in } }
        }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches {
            let event = person.events[touch.event]
            let post = event.storyPost
            if let matcher, !matcher.keeps(event) { continue }
            if counts(touch.time, from: post) {
                total.touches.add(touch, of: number)
                forEachRow(of: event, matcher) { row, _, _ in row.touches.add(touch, of: number) }
            } else if post.isNone, !touch.refs.isNone, range.contains(touch.time) {
                total.untraced += 1
                forEachRow(of: event, matcher) { row, _, _ in row.untraced += 1 }
            }
        }
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let post = person.events[position]
            guard let outcome = post.outcome, range.contains(post.occurredAt) else { continue }
            if let postMatcher, !postMatcher.keeps(post) { continue }
            total.posts.add(outcome, by: number)
            guard report.groupsPosts else { continue }
            forEachRow(of: post, postMatcher) { row, _, _ in row.posts.add(outcome, by: number) }
        }
        let events = events
        events.forEach(of: person) { install in
            guard let touch = person.lastTouch(before: install, within: report.lookback.microseconds) else { return }
            let event = person.events[touch.event]
            let post = event.storyPost
            guard counts(install.time, from: post) else { return }
            let kept = matcher?.kept(CreditUnits.one, of: event) ?? CreditUnits.one
            guard kept > 0 else { return }
            total.installs.add(units: kept, value: 0)
            forEachRow(of: event, matcher) { row, index, count in
                row.installs.add(units: CreditUnits.share(index, of: count, keeping: kept), value: 0)
            }
            let posted = dictionary.storyPosts.time(of: post)
            guard range.contains(posted) else { return }
            // If a late clock dated the post after the install, the time is 0.
            let elapsed = max(0, install.time.microseconds - posted.microseconds)
            cycles.add(post, group: group(of: event), elapsed: elapsed)
        }
    }

    /// Whether something counts that came from a post.
    private func counts(_ time: Timestamp, from post: Code) -> Bool {
        guard !post.isNone else { return false }
        guard let within = report.within else { return range.contains(time) }
        let posted = dictionary.storyPosts.time(of: post)
        return range.contains(posted) && posted <= time && time <= posted.advanced(by: within.duration)
    }

    /// Calls `body` with each row that an event counts in, the row's position among those of the event, kept or not,
    /// and their number.
    private mutating func forEachRow(
        of event: TimelineEvent,
        _ matcher: EventMatcher?,
        _ body: (inout Row, Int, Int) -> Void
    ) {
        guard report.grouping == .ref else {
            if let number = report.grouping.value(of: event) { return groups.update(number) { body(&$0, 0, 1) } }
            return body(&none, 0, 1)
        }
        let refs = dictionary.refs(of: event.refs)
        if refs.isEmpty { body(&none, 0, 1) }
        for (index, ref) in refs.enumerated() where matcher?.keeps(ref: ref) ?? true {
            groups.update(ref.index) { body(&$0, index, refs.count) }
        }
    }

    /// The list of refs, or the number of the property, in the form that `PostCycles` keeps. Negative if there is none.
    private func group(of event: TimelineEvent) -> Int {
        report.grouping == .ref ? Int(event.refs.rawValue) : report.grouping.value(of: event) ?? -1
    }

    mutating func merge(_ other: ViralFold) {
        for (number, row) in other.groups.rows { groups.update(number) { $0 += row } }
        none += other.none
        total += other.total
        cycles.merge(other.cycles)
    }

    consuming func finish() -> [[ReportCell]] {
        let isByRef = report.grouping == .ref
        let elapsed = cycles.elapsed { group in
            guard isByRef else { return group < 0 ? [] : [group] }
            let refs = dictionary.refs(of: Code(rawValue: Int32(group)))
            return refs.filter { matcher?.keeps(ref: $0) ?? true }.map(\.index)
        }
        func posts(of row: Row) -> PostCounts { report.groupsPosts ? row.posts : total.posts }
        var rows = ordered.map { name, number, row in
            cells(of: row, posts: posts(of: row), named: name, elapsed: elapsed.groups[number] ?? [])
        }
        // What has no ref is common, so its row is always there.
        if isByRef || !none.isZero {
            rows.append(cells(of: none, posts: posts(of: none), named: ReportNames.none, elapsed: elapsed.none))
        }
        return rows + [cells(of: total, posts: total.posts, named: ReportNames.total, elapsed: elapsed.total)]
    }

    private var ordered: [(name: String, number: Int, row: Row)] {
        let grouping = report.grouping
        if grouping == .channel {
            return groups.rows
                .sorted { $0.number < $1.number }
                .map { (grouping.name(ofNumber: $0.number), $0.number, $0.row) }
        }
        return groups.rows
            .filter { !$0.row.isZero }
            .map { number, row in (grouping.name(ofValue: number, dictionary), number, row) }
            // By the first count that rows show.
            .sorted {
                let counts = report.groupsPosts ? ($0.2.posts.posted, $1.2.posts.posted) : (0, 0)
                return counts.0 == counts.1 ? precedes($0.0, $1.0) : counts.0 > counts.1
            }
    }

    private func cells(of row: Row, posts: PostCounts, named name: String, elapsed: [Int64]) -> [ReportCell] {
        [
            .text(name), .integer(posts.posted), .integer(posts.posters), .integer(row.touches.touches),
            .integer(row.touches.people), .integer(row.untraced), row.installs.unitsCell,
            row.isUntraceable
                ? .empty : .fraction(row.installs.units, of: Int128(posts.posters) * Int128(CreditUnits.one)),
            .integer(Int64(elapsed.count)), PostCycles.medianSeconds(of: elapsed),
        ]
    }
}
