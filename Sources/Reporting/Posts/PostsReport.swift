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
        ReportParameter(
            "limit",
            "NUMBER",
            "With \"each\": the most posts, 1–\(limitRange.upperBound); the rest is one row, (others).",
            default: String(defaultLimit)
        ),
        .goal, .lookback,
    ]
    static let columns: [ReportColumn] =
        [
            .text("ref", "The category of the post; `(none)` counts posts without one, `total` counts all."),
            .text(
                "composer",
                "`feed_dialog`, `share_dialog`, `open_graph`, `stories`, `request_dialog` or `(none)`; empty for `total`."
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

    private static let limitRange = 1...10_000
    private static let defaultLimit = 50

    let period: PeriodParameter
    /// Whether the rows are single posts.
    let isOfEach: Bool
    let sortColumn: SortColumn
    let isReversed: Bool
    /// The most of them.
    let limit: Int
    let goal: String?
    let lookback: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
        isOfEach = try parameters.option("each")
        if !isOfEach {
            for name in ["sort", "limit", "goal", "lookback"] where parameters.isGiven(name) {
                throw .usage(
                    message: "\(parameter: name) needs \(parameter: "each"): without it, only posts are counted",
                    field: name
                )
            }
            (sortColumn, isReversed) = (.touches, false)
            (limit, goal, lookback) = (Self.defaultLimit, nil, ReportDuration(days: 7))
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
        limit = try parameters.count("limit", default: Self.defaultLimit, allowed: Self.limitRange)
        goal = try parameters.text("goal")
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
    }

    var columns: [ReportColumn] { isOfEach ? Self.eachColumns : period.columns(before: Self.columns) }
    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") }

    func query(in range: ReportRange) -> TimelineQuery {
        guard isOfEach else { return TimelineQuery([.feedPost], in: range, needs: [.refs]) }
        return TimelineQuery(
            TimelineQuery.touchTypes.union([.feedPost, .conversion]),
            in: range,
            lookback: lookback,
            needs: [.ids, .storyPosts]
        )
    }

    func makeFold(_ run: ReportRun) -> PostsFold { PostsFold(self, run) }

    /// Says what is known of the posts that are shown, which the fold names by their events.
    func amended(
        _ rows: [[ReportCell]],
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
            if let poster = posters[index] { rows[index][2] = .text(String(poster.dropFirst())) }
            rows[index].replaceSubrange(3..<6, with: cells[2...])
        }
        return rows
    }
}

/// Counts what the request asks for: one of the two is there.
struct PostsFold: ReportFold {
    private var outcomes: PostOutcomesFold?
    private var each: EachPostFold?

    init(_ report: PostsReport, _ run: ReportRun) {
        if report.isOfEach {
            each = EachPostFold(report, run)
        } else {
            outcomes = PostOutcomesFold(ReportPeriods(report.period.length, run), dictionary: run.dictionary)
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

    consuming func finish() -> [[ReportCell]] { outcomes?.finish() ?? each?.finish() ?? [] }
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
    }

    private let periods: ReportPeriods
    private let dictionary: TimelineDictionary
    /// By period.
    private var tables: [Table]
    private var people = 0

    init(_ periods: ReportPeriods, dictionary: TimelineDictionary) {
        self.periods = periods
        self.dictionary = dictionary
        tables = Array(repeating: Table(), count: periods.count)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices {
            let event = person.events[position]
            guard let outcome = event.outcome, let period = periods.position(of: event.occurredAt) else { continue }
            tables[period].total.add(outcome, by: number)
            let composer = event.composer?.position ?? Self.composers.count - 1
            let refs = dictionary.refs(of: event.refs)
            if refs.isEmpty { tables[period].counts.update(GroupKey(number: composer)) { $0.add(outcome, by: number) } }
            for ref in refs {
                let index = (ref.index + 1) * Self.composers.count + composer
                tables[period].counts.update(GroupKey(number: index)) { $0.add(outcome, by: number) }
            }
        }
    }

    var size: Int { tables.reduce(0) { $0 + $1.counts.size } }
    var rowCount: Int { tables.reduce(0) { $0 + $1.counts.rows.count + 1 } }

    mutating func merge(_ other: PostOutcomesFold) {
        for period in tables.indices {
            tables[period].counts.merge(other.tables[period].counts, +=)
            tables[period].total += other.tables[period].total
        }
    }

    consuming func finish() -> [[ReportCell]] {
        tables.indices.flatMap { period in
            let first = periods.cells(at: period)
            return rows(of: tables[period]).map { first + $0 }
        }
    }

    private func rows(of table: Table) -> [[ReportCell]] {
        let rows = zip(table.counts.keys, table.counts.rows)
            .map { key, counts in
                let index = key.number ?? 0
                let ref = index / Self.composers.count - 1
                return (
                    hasRef: ref >= 0,
                    ref: ref >= 0 ? dictionary.refs.text(of: Code(rawValue: Int32(ref))) : ReportNames.none,
                    composer: Self.composers[index % Self.composers.count]?.rawValue ?? ReportNames.none,
                    counts: counts
                )
            }
            .sorted { first, second in
                if first.hasRef != second.hasRef { return first.hasRef }
                if first.counts.posted != second.counts.posted { return first.counts.posted > second.counts.posted }
                let isSameRef = first.ref.utf8.elementsEqual(second.ref.utf8)
                return isSameRef ? precedes(first.composer, second.composer) : precedes(first.ref, second.ref)
            }
        return rows.map { [.text($0.ref), .text($0.composer)] + $0.counts.cells }
            + [[.text(ReportNames.total), .empty] + table.total.cells]
    }
}
