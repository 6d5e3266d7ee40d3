import Events
import Postgres
import Storage
import Time
import Timelines

/// Posts by ref and composer; with `--each`, each post and what it brought.
struct PostsReport: PeriodReport, AmendedReport {
    static let name = "posts"
    static let summary = "Feed posts by ref and composer, with their outcomes; or each post, with what it brought."
    static let examples = ["--by day", "--each --sort touches:reverse"]
    static let parameters: [ReportParameter] = [
        .byPeriod,
        ReportParameter(
            "each",
            "",
            "Show each post of the range instead, those that nobody tapped too, with the touches and credits that it brought."
        ),
        ReportParameter(
            "sort",
            "COLUMN",
            "With \"each\": the column that orders the posts, from the largest number or the newest; COLUMN:reverse in the opposite order.",
            default: SortColumn.touches.rawValue,
            offered: SortColumn.allCases.map(\.rawValue)
        ),
        GroupFinder.limit(
            "posts in the whole range",
            " With \"each\": the first posts by \"sort\", by default \(GroupFinder.defaultLimit).",
            isOptional: true
        ),
        .goal, .lookback, .filter(PostKey.ofEveryPost),
    ]
    static let columns: [ReportColumn] =
        [
            .text(
                "ref",
                "The category of the post; `(others)` counts all pairs of ref and composer beyond `--limit`, `(none)` posts without one, `total` counts all."
            ),
            .text(
                "composer",
                "`feed_dialog`, `share_dialog`, `open_graph`, `stories`, `request_dialog` or `(none)`; empty for `(others)` and `total`."
            ),
        ] + ReportColumn.posts(counted: "posted")

    private static let eachColumns: [ReportColumn] = [
        .text("post", "The post: its `post_id`, else its link, else the id of its event."),
        .time("posted_at", "When it was posted."), .text("poster", "The id of the person who posted it."),
        .text("ref", "Its refs, separated by commas."), .text("composer", "Where it was composed."),
        .text("link", "The link that it was posted with."),
        .integer("touches", unit: "touches", "Touches in the range that came from the post."), .touchPeople,
        .creditedInstalls, .creditedConversions, .creditedValue,
    ]

    static var allColumns: [ReportColumn] {
        func condition(_ columns: [ReportColumn], besides others: [ReportColumn], _ words: String) -> [ReportColumn] {
            columns.map { column in others.contains { $0.name == column.name } ? column : column.only(words) }
        }
        let each = eachColumns.filter { column in !columns.contains { $0.name == column.name } }
        return [PeriodParameter.column] + condition(columns, besides: eachColumns, "without `--each`")
            + each.map { $0.only("with `--each`") }
    }

    /// What orders single posts.
    enum SortColumn: String, CaseIterable {
        case touches, people, installs, conversions, value
        case postedAt = "posted_at"
    }

    let period: PeriodParameter
    /// Whether the rows are single posts.
    let isOfEach: Bool
    let sortColumn: SortColumn
    let isReversed: Bool
    /// Nil: all groups are shown.
    let limit: Int?
    let goal: String?
    let lookback: ReportDuration
    let filter: Filter<PostKey>

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
        isOfEach = try parameters.option("each")
        filter = try Filter(reading: &parameters, keys: PostKey.ofEveryPost)
        if !isOfEach {
            for name in ["sort", "goal", "lookback"] where parameters.isGiven(name) {
                throw .usage(
                    message: "\(parameter: name) needs \(parameter: "each"): without it, only posts are counted",
                    field: name
                )
            }
            (sortColumn, isReversed) = (.touches, false)
            limit = try parameters.optionalGroupLimit()
            (goal, lookback) = (nil, ReportDuration(days: 7))
            return
        }
        guard period.length == .none else {
            throw .invalid("by", "a post has one time; posted_at says it")
        }
        let order = SortOrder(try parameters.text("sort") ?? SortColumn.touches.rawValue)
        guard let column = SortColumn(rawValue: order.column) else {
            throw .unknown("value", order.column, field: "sort", allowed: SortColumn.allCases.map(\.rawValue))
        }
        (sortColumn, isReversed) = (column, order.isReversed)
        limit = try parameters.count("limit", default: GroupFinder.defaultLimit, allowed: GroupFinder.limits)
        goal = try parameters.text("goal")
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    var columns: [ReportColumn] { isOfEach ? Self.eachColumns : period.columns(before: Self.columns) }
    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") + filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        guard isOfEach else { return TimelineQuery([.feedPost], in: range, needs: [.refs]) }
        return TimelineQuery(
            TimelineQuery.touchTypes.union([.feedPost, .conversion]),
            in: range,
            lookback: lookback,
            needs: filter.isEmpty ? [.ids, .storyPosts] : [.ids, .storyPosts, .refs, .postDetails]
        )
    }

    func makeFold(_ run: ReportRun) -> PostsFold { PostsFold(self, run) }

    /// Says what is known of the posts that are shown, which the fold names by their events.
    func amended(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]]?,
        about range: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]] {
        guard isOfEach else { return rows }
        // The posts come first.
        let addresses = rows.compactMap { EventAddress(event: $0[0], time: $0[1]) }
        let posts = try ReportedPost.read(addresses, of: range.app, on: connection)
        let posters = try EventAddress.people(of: addresses, app: range.app, on: connection)
        var rows = rows
        for (index, address) in addresses.enumerated() {
            guard let cells = posts[address.event]?.cells else { continue }
            if cells[0] != .empty { rows[index][0] = cells[0] }
            if let poster = PersonKey(text: posters[index]) { rows[index][2] = .text(poster.id) }
            rows[index].replaceSubrange(3..<6, with: cells[2...])
        }
        return rows
    }
}

/// Counts what the request asks for: one of the two is there.
struct PostsFold: LimitedFold {
    private var outcomes: PostOutcomesFold?
    private var each: EachPostFold?

    init(_ report: PostsReport, _ run: ReportRun) {
        if report.isOfEach {
            each = EachPostFold(report, run)
        } else {
            outcomes = PostOutcomesFold(report, run)
        }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        outcomes?.add(person)
        each?.add(person)
    }

    var otherCurrencies: [OtherCurrencies] { each.map { [$0.others] } ?? [] }
    var size: Int { (outcomes?.size ?? 0) + (each?.size ?? 0) }
    var rowCount: Int { outcomes?.rowCount ?? 0 }

    mutating func merge(_ other: PostsFold) {
        if let own = other.outcomes { outcomes?.merge(own) }
        if let own = other.each { each?.merge(own) }
    }

    consuming func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        outcomes?.finish(beside: other) ?? each?.finish() ?? []
    }
}

/// Posts by period, ref and composer.
struct PostOutcomesFold {
    /// All composers, and nil for posts without one.
    private static let composers: [Composer?] = Composer.allCases + [nil]

    /// The table of one period.
    private struct Table {
        /// By ref, from the number for no ref on, then by composer.
        var counts = GroupTable(empty: PostCounts())
        var total = PostCounts()
        /// For `(others)`, whose posters are distinct.
        var posting = GroupPeople()
    }

    private let periods: ReportPeriods
    private let dictionary: TimelineDictionary
    /// Which posts are kept.
    private let groups: PostGroups
    /// By period.
    private var tables: [Table]
    private let limit: Int?
    private var people = 0

    init(_ report: PostsReport, _ run: ReportRun) {
        periods = ReportPeriods(report.period.length, run)
        dictionary = run.dictionary
        groups = PostGroups(by: [], report.filter, run.dictionary)
        tables = Array(repeating: Table(), count: periods.count)
        limit = report.limit
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices {
            let event = person.events[position]
            guard let outcome = event.outcome, let period = periods.position(of: event.occurredAt) else { continue }
            let post = groups.post(event)
            guard groups.keeps(post) else { continue }
            tables[period].total.add(outcome, by: number)
            let composer = event.composer?.position ?? Self.composers.count - 1
            groups.forEachKeptRef(of: post) { ref, _, _ in
                let index = (ref.map { $0 + 1 } ?? 0) * Self.composers.count + composer
                let group = tables[period].counts.position(of: GroupKey(number: index))
                if tables[period].counts[group].add(outcome, by: number), limit != nil, ref != nil {
                    tables[period].posting.add(people, to: group)
                }
            }
        }
    }

    var size: Int { tables.reduce(0) { $0 + $1.counts.size + $1.posting.size } }

    var rowCount: Int {
        tables.reduce(0) { $0 + min(limit.map { $0 + Self.composers.count + 1 } ?? .max, $1.counts.rows.count) + 1 }
    }

    mutating func merge(_ other: PostOutcomesFold) {
        for period in tables.indices {
            let places = tables[period].counts.merge(other.tables[period].counts, +=)
            tables[period].posting.merge(other.tables[period].posting, at: places)
            tables[period].total += other.tables[period].total
        }
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        // The ref and the composer stand after the period.
        let column = periods.cells(at: 0).count
        let names = other?.filter { $0[column] != .text(ReportNames.none) }.map {
            ReportCell.text(Self.name($0[column..<column + 2].compactMap(\.plainText)))
        }
        let shown = tables.lazy.map(\.counts)
            .shown(limit, beside: names, where: { !hasNoRef($0) }, count: \.posted, name: name)
        return tables.indices.flatMap { period in
            let first = periods.cells(at: period)
            return rows(of: tables[period], showing: shown).map { first + $0 }
        }
    }

    private func rows(of table: Table, showing shown: Set<GroupKey>?) -> [[ReportCell]] {
        let counts = table.counts
        let groups = counts.shown(
            where: { hasNoRef($0) || shown?.contains($0) ?? true },
            always: hasNoRef,
            count: \.posted,
            name: name
        )
        let others = counts.others(than: groups, +=) { $0.replacePosters(with: table.posting.count(of: $1)) }
        return groups.rows(
            { group in names(of: counts.keys[group]).map { .text($0) } + counts[group].cells },
            others: others.map { [.text(ReportNames.others), .empty] + $0.cells }
        ) + [[.text(ReportNames.total), .empty] + table.total.cells]
    }

    private func hasNoRef(_ key: GroupKey) -> Bool { (key.number ?? 0) < Self.composers.count }

    private func name(of key: GroupKey) -> String { Self.name(names(of: key)) }

    /// The ref and the composer.
    private func names(of key: GroupKey) -> [String] {
        let (ref, composer) = (key.number ?? 0).quotientAndRemainder(dividingBy: Self.composers.count)
        return [
            ref > 0 ? dictionary.refs.text(of: Code(rawValue: Int32(ref - 1))) : ReportNames.none,
            Self.composers[composer]?.rawValue ?? ReportNames.none,
        ]
    }

    /// In the order of refs, then of composers: U+0000 comes before all that a ref can have.
    private static func name(_ names: [String]) -> String { names.joined(separator: "\0") }
}
