import Events
import InboundLinks
import Time
import Timelines

/// Whether people bring people: the viral coefficient, and how long a cycle takes.
struct ViralReport: PeopleReport {
    static let name = "viral"
    static let summary =
        "Installs that posts brought for each person who posted (the viral coefficient K), and how long it took."
    static let examples = ["--within 7d --matured", "--by ref,platform --from 7d"]
    private static let noKey = "none"
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "KEYS",
            "The properties of posts that rows are counted by, one or two: platform or ref,platform. What a post brought counts in the post's row. With none, only the total, which takes the least time.",
            default: PostKey.ref.rawValue,
            allowed: [noKey] + PostKey.allCases.map(\.rawValue)
        ),
        GroupFinder.limit("posts", isOptional: true),
        .filter(PostKey.allCases),
        .lookback,
        ReportParameter(
            "within",
            "DURATION",
            "Count what the posts of the range brought up to this long after each post, even after the range (\(ReportDuration.limitText)). So each post has the same time; K still grows with the length of the range."
        ),
        .matured,
    ]
    static let columns: [ReportColumn] = [
        .text(
            "group",
            "The ref of the posts, or what `--by` names, by two keys as `gift / ios`; `(others)` counts all beyond `--limit`, `(none)` posts without it, `total` everything."
        ),
        .integer(
            "posts",
            unit: "posts",
            "Feed posts in the range with the outcome `posted`."
        ),
        .integer(
            "posters",
            unit: "people",
            "Distinct people with a posted story."
        ),
        .integer(
            "touches",
            unit: "touches",
            "Touches in the range that came from a post of the row. With `--within`, those up to that long after a post of the range."
        ),
        .touchPeople,
        .integer(
            "untraced_touches",
            unit: "touches",
            "Touches in the range that have a ref but came from no known post. They count in the row of their ref, by other keys in `(none)`, and nowhere else in it."
        ),
        .decimal(
            "installs",
            unit: "installs",
            "Last-touch credits of installs in the range whose touch came from a post of the row. With `--within`, those up to that long after a post of the range."
        ),
        .ratio(
            "k",
            unit: "installs per person",
            "`installs` ÷ `posters`: the viral coefficient *K*, at least: installs that cannot be traced to a post are missing. A poster counts once and what their posts bring adds up, so K grows with the length of the range: compare ranges of one length. Empty if no touch of the ref can be traced to a post, though there are touches with the ref; without a ref in the row, if none can be traced at all."
        ),
        .ratio(
            "installs_per_post",
            unit: "installs per post",
            "`installs` ÷ `posts`, at least, as `k`; it does not grow with the length of the range. Empty where `k` is for want of traces."
        ),
        .integer("posts_with_installs", unit: "posts", "Posts in the range that brought one of the installs."),
        .decimal(
            "cycle_median_seconds",
            unit: "seconds",
            "The median, over these posts, of the time from the post to the first install that it brought."
        ),
    ]

    static let peopleFigures = ["posters", "installs"]

    static func rowNames(by grouping: String?) -> [String] { ["group"] }

    /// Up to two, different. Without keys, only the total is counted.
    let keys: [PostKey]
    /// Nil: all groups are shown.
    let limit: Int?
    let filter: Filter<PostKey>
    let lookback: ReportDuration
    /// How long after its post something counts, for the posts of the range; nil: what happened in the range counts,
    /// whenever it was posted.
    let within: ReportDuration?

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        keys = try Self.keys(reading: &parameters)
        limit = try parameters.optionalGroupLimit()
        filter = try Filter(reading: &parameters, keys: PostKey.allCases)
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
        within = parameters.isGiven("within") ? try parameters.duration("within", default: lookback) : nil
    }

    private static func keys(reading parameters: inout ParameterReader) throws(ReportError) -> [PostKey] {
        let names = parameters.list("by", default: [PostKey.ref.rawValue])
        if names == [noKey] { return [] }
        let allowed = [noKey] + PostKey.allCases.map(\.rawValue)
        var keys: [PostKey] = []
        for name in names {
            guard let key = PostKey(rawValue: name) else {
                guard EventGrouping(rawValue: name) != nil else {
                    throw .unknown("value", name, field: "by", allowed: allowed)
                }
                throw .invalid("by", "a post has no \(name), only a touch has", allowed: allowed)
            }
            guard !keys.contains(key) else { throw .invalid("by", "'\(name)' is given twice") }
            keys.append(key)
        }
        guard keys.count <= 2 else { throw .invalid("by", "takes one key or two, not \(keys.count)") }
        return keys
    }

    var namedValues: [NamedValue] { filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery(
            TimelineQuery.touchTypes.union([.feedPost]),
            in: ReportRange(from: range.from, to: range.to.advanced(by: within?.duration ?? .zero)),
            lookback: lookback,
            needs: [.refs, .storyPosts, .ids]
        )
        if PostGroups.needsDetails(keys, filter) { query.needs.insert(.postDetails) }
        if PostGroups.needsPosters(keys, filter) { query.needs.insert(.posters) }
        return query
    }

    /// A post that was published here or later may still bring installs within its time.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? {
        within.map { now.advanced(by: .zero - $0.duration) }
    }

    func makeFold(_ run: ReportRun) -> ViralFold {
        ViralFold(self, run)
    }
}

struct ViralFold: LimitedFold, PeopleFold {
    private struct Row {
        var posts = PostCounts()
        var touches = TouchCounts()
        var untraced: Int64 = 0
        var installs = CreditSum()

        static func += (row: inout Row, other: Row) {
            row.posts += other.posts
            row.touches += other.touches
            row.untraced += other.untraced
            row.installs += other.installs
        }
    }

    /// Whether what came with some refs could be traced to posts, whatever else their posts are: nobody knows the other
    /// properties of an unknown post.
    private struct Tracing {
        var isTraced = false
        var isUntraced = false

        /// Nobody can say what posts brought.
        var isImpossible: Bool { isUntraced && !isTraced }

        static func += (tracing: inout Tracing, other: Tracing) {
            tracing.isTraced = tracing.isTraced || other.isTraced
            tracing.isUntraced = tracing.isUntraced || other.isUntraced
        }
    }

    private let report: ViralReport
    private let events: CreditedEvents
    private let range: ReportRange
    private let dictionary: TimelineDictionary
    private let groups: PostGroups
    private var rows = GroupTable(empty: Row())
    private var total = Row()
    /// By ref.
    private var tracing = GroupTable(empty: Tracing())
    private var tracingOfAll = Tracing()
    private var cycles = PostCycles()
    // For `(others)`, whose people are distinct.
    private var touching = GroupPeople()
    private var posting = GroupPeople()
    private var people = 0

    init(_ report: ViralReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        dictionary = run.dictionary
        groups = PostGroups(by: report.keys, report.filter, run.dictionary)
        let end = run.range.to.advanced(by: report.within?.duration ?? .zero)
        events = CreditedEvents(
            range: ReportRange(from: run.range.from, to: end),
            conversions: false,
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
        // What has no ref is common, so its row is always there.
        if report.keys == [.ref] { _ = rows.position(of: GroupKey(number: nil)) }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches {
            let code = person.events[touch.event].storyPost
            if counts(touch.time, from: code) {
                let post = groups.post(code)
                note(Tracing(isTraced: true), of: post)
                guard groups.keeps(post) else { continue }
                total.touches.add(touch, of: number)
                groups.forEachRow(of: post) { key, _, _ in
                    let row = rows.position(of: key)
                    if rows[row].touches.add(touch, of: number), report.limit != nil { touching.add(people, to: row) }
                }
            } else if code.isNone, !touch.refs.isNone, range.contains(touch.time) {
                let post = groups.unknownPost(refs: touch.refs)
                note(Tracing(isUntraced: true), of: post)
                guard groups.keeps(post) else { continue }
                total.untraced += 1
                groups.forEachRow(of: post) { key, _, _ in rows.update(key) { $0.untraced += 1 } }
            }
        }
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let event = person.events[position]
            guard case .posted? = event.outcome, range.contains(event.occurredAt) else { continue }
            let post = groups.post(event)
            guard groups.keeps(post) else { continue }
            total.posts.add(.posted, by: number)
            evidence.note(event, .posted, in: .total)
            groups.forEachRow(of: post) { key, _, _ in
                let row = rows.position(of: key)
                if rows[row].posts.add(.posted, by: number), report.limit != nil { posting.add(people, to: row) }
                evidence.note(event, .posted, in: .named(key))
            }
        }
        let events = events
        events.forEach(of: person) { install in
            guard let touch = person.lastTouch(before: install, within: report.lookback.microseconds) else { return }
            let code = person.events[touch.event].storyPost
            guard counts(install.time, from: code) else { return }
            let post = groups.post(code)
            note(Tracing(isTraced: true), of: post)
            let kept = groups.kept(of: post)
            guard kept > 0 else { return }
            total.installs.add(units: kept, value: 0)
            evidence.note(install, units: kept, in: .total, person.events[install.position])
            groups.forEachRow(of: post) { key, index, count in
                let share = CreditUnits.share(index, of: count, keeping: kept)
                rows.update(key) { $0.installs.add(units: share, value: 0) }
                evidence.note(install, units: share, in: .named(key), person.events[install.position])
            }
            let posted = dictionary.storyPosts.time(of: code)
            guard range.contains(posted) else { return }
            // If a late clock dated the post after the install, the time is 0.
            cycles.add(code, elapsed: max(0, install.time.microseconds - posted.microseconds))
        }
    }

    /// Whether something counts that came from a post.
    private func counts(_ time: Timestamp, from post: Code) -> Bool {
        guard !post.isNone else { return false }
        guard let within = report.within else { return range.contains(time) }
        let posted = dictionary.storyPosts.time(of: post)
        return range.contains(posted) && posted <= time && time <= posted.advanced(by: within.duration)
    }

    private mutating func note(_ traced: Tracing, of post: PostGroups.Post) {
        groups.forEachKeptRef(of: post) { ref, _, _ in
            tracingOfAll += traced
            if let ref { tracing.update(GroupKey(number: ref)) { $0 += traced } }
        }
    }

    var size: Int { rows.size + groups.size + tracing.size + cycles.size + touching.size + posting.size }
    var rowCount: Int { min(report.limit ?? .max, rows.rows.count) + 3 }

    mutating func merge(_ other: ViralFold) {
        let posters = groups.merge(other.groups)
        let groups = groups
        let places = rows.merge(other.rows, +=, renamed: { groups.row($0, renumbering: posters) })
        touching.merge(other.touching, at: places)
        posting.merge(other.posting, at: places)
        total += other.total
        tracing.merge(other.tracing, +=)
        tracingOfAll += other.tracingOfAll
        cycles.merge(other.cycles)
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        var elapsed: [[Int64]] = rows.rows.map { _ in [] }
        var elapsedOfAll: [Int64] = []
        for (code, time) in cycles.first() {
            elapsedOfAll.append(time)
            let post = groups.post(code)
            groups.forEachRow(of: post) { key, _, _ in
                if let row = rows.known(key) { elapsed[row].append(time) }
            }
        }
        func cells(of row: Row, named name: String, _ places: [Int]) -> [ReportCell] {
            var tracing = tracingOfAll
            if report.keys.contains(.ref) {
                let refs = places.compactMap { groups.ref(of: rows.keys[$0]) }
                tracing = refs.reduce(into: Tracing()) { $0 += self.tracing[GroupKey(number: $1)] }
            }
            return self.cells(of: row, named: name, tracing, places.flatMap { elapsed[$0] })
        }
        let shown = shown(beside: other)
        var places: [Int] = []
        let others = rows.others(than: shown, +=) { others, areOthers in
            places = areOthers.indices.filter { areOthers[$0] }
            others.posts.replacePosters(with: posting.count(of: areOthers))
            others.touches.replacePeople(with: touching.count(of: areOthers))
        }
        return shown.rows(
            { cells(of: rows[$0], named: name(of: rows.keys[$0]), [$0]) },
            others: others.map { cells(of: $0, named: ReportNames.others, places) }
        ) + [self.cells(of: total, named: ReportNames.total, tracingOfAll, elapsedOfAll)]
    }

    func peopleRows() -> [PeopleRow] {
        rows.peopleRows(of: shown(), name: name)
            + [PeopleRow(names: [.text(ReportNames.total)], groups: [.total], isTotal: true)]
    }

    private func shown(beside other: [[ReportCell]]? = nil) -> ShownGroups {
        rows.shown(report.limit, beside: other?.map { $0[0] }, count: \.posts.posted, name: name)
    }

    private func name(of key: GroupKey) -> String { groups.names(of: key).joined(separator: GroupFinder.separator) }

    private func cells(
        of row: Row,
        named name: String,
        _ tracing: Tracing,
        _ elapsed: [Int64]
    ) -> [ReportCell] {
        func installs(per count: Int64) -> ReportCell {
            tracing.isImpossible ? .empty : .fraction(row.installs.units, of: Int128(count) * Int128(CreditUnits.one))
        }
        return [
            .text(name), .integer(row.posts.posted), .integer(row.posts.posters), .integer(row.touches.touches),
            .integer(row.touches.people), .integer(row.untraced), row.installs.unitsCell,
            installs(per: row.posts.posters), installs(per: row.posts.posted),
            .integer(Int64(elapsed.count)), PostCycles.medianSeconds(of: elapsed),
        ]
    }
}
