import Events
import InboundLinks
import Time
import Timelines

/// Whether people bring people: the viral coefficient, and how long a cycle takes.
struct ViralReport: Report {
    enum Grouping: String, CaseIterable {
        case ref
        case channel
    }

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
            allowed: Grouping.allCases.map(\.rawValue)
        ),
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
            "The ref or channel; `(none)` counts posts and touches without a ref, `total` counts everything."
        ),
        .integer(
            "posts",
            unit: "posts",
            "Feed posts in the range with the outcome `posted`. By channel, those of `total` in every row."
        ),
        .integer(
            "posters",
            unit: "people",
            "Distinct people with a posted story. By channel, those of `total` in every row."
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

    let grouping: Grouping
    let lookback: ReportDuration
    /// How long after its post something counts, for the posts of the range; nil: what happened in the range counts,
    /// whenever it was posted.
    let within: ReportDuration?

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        grouping = try parameters.choice("by", default: .ref)
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
        within = parameters.isGiven("within") ? try parameters.duration("within", default: lookback) : nil
    }

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(
            types: TimelineQuery.touchTypes.union([.feedPost]),
            touchesFrom: range.from.advanced(by: .zero - lookback.duration),
            eventsFrom: range.from,
            through: range.to.advanced(by: within?.duration ?? .zero),
            needsRefs: true,
            needsStoryPosts: true
        )
    }

    /// A post that was published here or later may still bring installs within its time.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? {
        within.map { now.advanced(by: .zero - $0.duration) }
    }

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
    /// By `Channel.position` or the ref's code.
    private var groups = RowsByCode(empty: Row())
    /// The row of posts and touches without a ref.
    private var none = Row()
    private var total = Row()
    private var cycles = PostCycles()
    private var people = 0

    init(_ report: ViralReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        dictionary = run.dictionary
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
            let post = person.events[touch.event].storyPost
            if counts(touch.time, from: post) {
                total.touches.add(touch, of: number)
                forEachRow(of: touch) { row, _, _ in row.touches.add(touch, of: number) }
            } else if post.isNone, !touch.refs.isNone, range.contains(touch.time) {
                total.untraced += 1
                forEachRow(of: touch) { row, _, _ in row.untraced += 1 }
            }
        }
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let post = person.events[position]
            guard let outcome = post.outcome, range.contains(post.occurredAt) else { continue }
            total.posts.add(outcome, by: number)
            // A post has no channel: people may open its story through any of them.
            guard report.grouping == .ref else { continue }
            forEachRow(ofRefs: post.refs) { row, _, _ in row.posts.add(outcome, by: number) }
        }
        let events = events
        events.forEach(of: person) { install in
            guard let touch = person.lastTouch(before: install, within: report.lookback.microseconds) else { return }
            let post = person.events[touch.event].storyPost
            guard counts(install.time, from: post) else { return }
            total.installs.add(units: CreditUnits.one, value: 0)
            forEachRow(of: touch) { row, index, count in
                row.installs.add(units: CreditUnits.share(index, of: count, of: CreditUnits.one), value: 0)
            }
            let posted = dictionary.storyPosts.time(of: post)
            guard range.contains(posted) else { return }
            // If a late clock dated the post after the install, the time is 0.
            let elapsed = max(0, install.time.microseconds - posted.microseconds)
            cycles.add(post, group: group(of: touch), elapsed: elapsed)
        }
    }

    /// Whether something counts that came from a post.
    private func counts(_ time: Timestamp, from post: Code) -> Bool {
        guard !post.isNone else { return false }
        guard let within = report.within else { return range.contains(time) }
        let posted = dictionary.storyPosts.time(of: post)
        return range.contains(posted) && posted <= time && time <= posted.advanced(by: within.duration)
    }

    /// Calls `body` with each row that a touch counts in, the row's position among them, and their number.
    private mutating func forEachRow(of touch: TimelineTouch, _ body: (inout Row, Int, Int) -> Void) {
        switch report.grouping {
        case .ref: forEachRow(ofRefs: touch.refs, body)
        case .channel: groups.update(touch.channel.position) { body(&$0, 0, 1) }
        }
    }

    private mutating func forEachRow(ofRefs list: Code, _ body: (inout Row, Int, Int) -> Void) {
        let refs = dictionary.refs(of: list)
        if refs.isEmpty { body(&none, 0, 1) }
        for (index, ref) in refs.enumerated() {
            groups.update(ref.index) { body(&$0, index, refs.count) }
        }
    }

    /// The list of refs, or the channel, in the form that `PostCycles` keeps.
    private func group(of touch: TimelineTouch) -> Int {
        switch report.grouping {
        case .ref: Int(touch.refs.rawValue)
        case .channel: touch.channel.position
        }
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
            guard isByRef else { return [group] }
            return dictionary.refs(of: Code(rawValue: Int32(group))).map(\.index)
        }
        var rows = ordered.map { name, number, row in
            cells(of: row, posts: isByRef ? row.posts : total.posts, named: name, elapsed: elapsed.groups[number] ?? [])
        }
        if isByRef { rows.append(cells(of: none, posts: none.posts, named: ReportNames.none, elapsed: elapsed.none)) }
        return rows + [cells(of: total, posts: total.posts, named: ReportNames.total, elapsed: elapsed.total)]
    }

    private var ordered: [(name: String, number: Int, row: Row)] {
        switch report.grouping {
        case .channel:
            groups.rows
                .sorted { $0.number < $1.number }
                .map { (Channel.allCases[$0.number].rawValue, $0.number, $0.row) }
        case .ref:
            groups.rows
                .filter { !$0.row.isZero }
                .map { (dictionary.refs.text(of: Code(rawValue: Int32($0.number))), $0.number, $0.row) }
                .sorted {
                    $0.2.posts.posted == $1.2.posts.posted
                        ? precedes($0.0, $1.0) : $0.2.posts.posted > $1.2.posts.posted
                }
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
