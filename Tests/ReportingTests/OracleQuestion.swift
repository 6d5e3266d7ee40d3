import Foundation
import Time
@testable import Reporting
import Testing

/// A question in the oracle's form, and as the parameters of a request.
struct OracleQuestion {
    let name: String
    private(set) var parameters: [(name: String, value: String)]
    private let answer: (Oracle) -> [[String]]
    private var zone = TimeZone.gmt
    /// Where its rows say which period they are about, and the range that is counted.
    private var periods: (place: Oracle.PeriodColumn, span: (Oracle) -> Oracle.Span)?
    /// The same of the preceding range, for a report that compares two by itself.
    private var earlierPeriods: ((Oracle) -> (place: Oracle.PeriodColumn, span: Oracle.Span))?
    private var conditions: [Oracle.Condition] = []
    private var deeds: [Oracle.Deed] = []

    init(
        name: String,
        parameters: [(name: String, value: String)],
        answer: @escaping (Oracle) -> [[String]]
    ) {
        self.name = name
        self.parameters = parameters
        self.answer = answer
        let range = parameters.filter { ["from", "to"].contains($0.name) }.map(\.value)
        isRefused = Set(range).count == 1
    }

    /// Reports refuse an empty range, and a funnel whose starts lack a property by which it is grouped.
    private(set) var isRefused = false

    func refused(if isRefused: Bool) -> Self {
        var question = self
        question.isRefused = question.isRefused || isRefused
        return question
    }

    /// The same in another time zone.
    func inZone(_ name: String) throws -> Self {
        var question = self
        question.parameters.append(("tz", name))
        question.zone = try #require(TimeZone(identifier: name))
        return question
    }

    /// The keys by which the report can be filtered.
    private(set) var keys: [Oracle.Grouping] = []

    /// What the oracle's answer holds for. Timelines know no errors of logins. The database says more of single posts
    /// than a fold, and in `breakdown` than the oracle (`BreakdownReportTests`).
    enum Place {
        case anywhere, database, memory
    }

    private(set) var place = Place.anywhere

    func answered(in place: Place) -> Self {
        var question = self
        question.place = place
        return question
    }

    func filterable(by keys: [Oracle.Grouping] = Oracle.Grouping.keys) -> Self {
        var question = self
        question.keys = keys
        return question
    }

    /// The same, limited to what meets conditions.
    func filtered(by conditions: [Oracle.Condition]) -> Self {
        var question = self
        question.conditions = conditions
        question.parameters += conditions.map { ("where", $0.text) }
        return question
    }

    /// The same, of people alone who did something before the end of the range; nil for a report that compares ranges,
    /// each of which has people of its own, and for one that takes no such conditions.
    func ofPeople(_ deeds: [Oracle.Deed]) -> Self? {
        let isOfOneRange =
            !["changes", "logins"].contains(name)
            && !parameters.contains { $0.name == "compare-previous" }
        guard isOfOneRange else { return nil }
        var question = self
        question.deeds = deeds
        question.parameters += deeds.map(\.parameter)
        return question
    }

    /// The rows that the report must have.
    ///
    /// - Parameter oracle: in any time zone.
    func answer(by oracle: Oracle, now: Timestamp) -> [[String]] {
        let end = parameters.first { $0.name == "to" }.flatMap { Timestamp(rfc3339: $0.value) }
        var oracle = oracle.filtered(by: conditions)
        oracle.timeZone = zone
        oracle.now = now
        oracle = oracle.alone(deeds, until: end ?? now)
        let rows = answer(oracle)
        guard let periods else { return rows }
        let own = (place: periods.place, span: periods.span(oracle))
        return oracle.completed(rows, [own] + (earlierPeriods.map { [$0(oracle)] } ?? []))
    }

    func told(by place: Oracle.PeriodColumn?, in span: @escaping (Oracle) -> Oracle.Span) -> Self {
        var question = self
        question.periods = place.map { ($0, span) }
        return question
    }

    func told(by length: Oracle.PeriodLength?, in span: Oracle.Span) -> Self {
        let firstFigure = ["posts", "logins"].contains(name) ? 3 : 2
        return told(by: length.map { Oracle.PeriodColumn(component: $0.component, firstFigure: firstFigure) }) { _ in
            span
        }
    }

    private func told(by query: Oracle.FunnelQuery, _ table: Oracle.FunnelTable) -> Self {
        let place = query.groupings.enumerated().lazy.compactMap { position, grouping in
            grouping.period.map {
                Oracle.PeriodColumn(component: $0.component, isLast: position > 0, firstFigure: 3)
            }
        }.first
        let counted =
            query.isMatured ? query.span.before(query.now.advanced(by: .zero - query.window)) : query.span
        var question = told(by: place) { _ in counted }
        if table == .besidePrevious, let place {
            question.earlierPeriods = { oracle in
                let previous = oracle.preceding(counted, movedLike: query.span)
                var earlier = place
                earlier.dated = (counted, previous)
                return (earlier, previous)
            }
        }
        return question
    }

    /// As on the command line.
    var text: String { ([name] + parameters.map { "--\($0.name) '\($0.value)'" }).joined(separator: " ") }

    /// The same with `--compare-previous`.
    ///
    /// - Parameters:
    ///   - grouping: what the second column names its rows by.
    ///   - part: the part of a range that has had its whole window, if only that is counted.
    ///   - make: the question about a range.
    static func besidePrevious(
        _ span: Oracle.Span,
        _ names: Oracle.RowNames,
        more: [(name: String, value: String)] = [],
        by grouping: Oracle.Grouping = .ungrouped,
        part: @escaping (Oracle, Oracle.Span) -> Oracle.Span = { $1 },
        _ make: @escaping (Oracle.Span) -> OracleQuestion
    ) -> Self {
        let question = make(span)
        return Self(
            name: question.name,
            parameters: question.parameters + [("compare-previous", "true")] + more,
            answer: { oracle in
                let counted = part(oracle, span)
                let previous = oracle.preceding(counted, movedLike: span)
                let earlierRows = make(previous).answer(oracle).map { row in
                    guard grouping.period != nil else { return row }
                    var row = row
                    row[1] = oracle.dated(Oracle.Name(row[1]), by: grouping, from: previous, like: counted).text
                    return row
                }
                let rows = oracle.rows(
                    make(counted).answer(oracle),
                    of: counted,
                    beside: earlierRows,
                    of: previous,
                    names
                )
                guard let place = question.periods?.place, let row = rows.first else { return rows }
                // The earlier period's day is the first of the added columns, which are three for each figure: beside
                // keys and figures there are a day and those.
                var earlier = place
                let keys = names.keys.count + 1
                earlier.column = keys + (row.count - keys - 1) / 4
                return oracle.completed(rows, [(place, counted), (earlier, previous)])
            }
        ).filterable(by: question.keys).answered(in: question.place).refused(if: question.isRefused)
    }

    static func channels(_ query: Oracle.ChannelsQuery) -> Self {
        Self(
            name: "channels",
            parameters: range(query.span) + goal(query.goal) + [("lookback", text(query.lookback))]
                + period(query.period),
            answer: { oracle in
                oracle.byPeriod(query.period, of: query.span) { span in
                    var query = query
                    query.span = span
                    return oracle.channels(query)
                }
            }
        ).filterable().told(by: query.period, in: query.span)
    }

    static func refs(_ query: Oracle.RefsQuery) -> Self {
        Self(
            name: "refs",
            parameters: range(query.span) + goal(query.goal) + [("lookback", text(query.lookback))]
                + period(query.period) + limit(query.limit),
            answer: { oracle in
                // The oracle lists a ref that was touched but is not the last touch. The product shows only refs with a
                // count above zero.
                func rows(_ query: Oracle.RefsQuery, _ shown: Set<Oracle.Name>?) -> [[String]] {
                    oracle.refs(query, showing: shown).filter { isAlwaysShown($0) || !isZero($0) }
                }
                let largest = query.limit.map { limit in
                    rows(query, nil).filter { !isAlwaysShown($0) }.prefix(limit).map { Oracle.Name($0[0]) }
                }
                return oracle.byPeriod(query.period, of: query.span) { span in
                    var query = query
                    query.span = span
                    return rows(query, largest.map(Set.init))
                }
            }
        ).filterable().told(by: query.period, in: query.span)
    }

    static func links(_ query: Oracle.LinksQuery) -> Self {
        Self(
            name: "links",
            parameters: range(query.span) + goal(query.goal) + [("lookback", text(query.lookback))]
                + limit(query.limit),
            answer: { $0.links(query) }
        ).filterable()
    }

    static func breakdown(_ query: Oracle.BreakdownQuery) -> Self {
        Self(
            name: "breakdown",
            parameters: range(query.span) + goal(query.goal) + [
                ("lookback", text(query.lookback)), ("by", query.keys.map(\.rawValue).joined(separator: ",")),
                ("sort", query.sort), ("limit", query.percent.map { "\($0)%" } ?? String(query.limit)),
            ] + (query.tellsRates ? [("rates", "true")] : [])
                + (query.tellsTouchValue ? [("per-touch", "true")] : [])
                + (query.least > 0 ? [("least", String(query.least))] : []),
            answer: { $0.breakdown(query) }
        ).filterable().answered(in: query.keys.contains(.post) ? .memory : .anywhere)
            .told(
                // "Of two periods, the shorter."
                by: Oracle.PeriodLength.allCases.lazy.compactMap { length in
                    query.keys.firstIndex { $0.rawValue == length.rawValue }.map { (length, $0) }
                }.first.map { length, position in
                    let columns = query.keys[..<position].map { $0 == .post ? 5 : $0 == .poster ? 2 : 1 }
                    let keys = query.keys.map { $0 == .post ? 5 : $0 == .poster ? 2 : 1 }.reduce(0, +)
                    return Oracle.PeriodColumn(
                        column: columns.reduce(0, +),
                        component: length.component,
                        firstFigure: keys
                    )
                }
            ) { _ in query.span }
    }

    static func changes(_ query: Oracle.ChangesQuery) -> Self {
        Self(
            name: "changes",
            parameters: range(query.span) + goal(query.isOfConversions ? query.goal : nil)
                + (query.isCredited ? [("lookback", text(query.lookback))] : []) + [
                    ("metric", query.metric), ("by", query.keys.map(\.rawValue).joined(separator: ",")),
                    ("limit", String(query.limit)),
                ],
            answer: { $0.changes(query) }
        ).filterable()
    }

    static func goals(_ span: Oracle.Span, limit: Int? = nil) -> Self {
        Self(
            name: "goals",
            parameters: range(span) + Self.limit(limit),
            answer: { $0.goals(span, limit: limit) }
        ).filterable(by: Oracle.Grouping.ofEveryEvent + [.plan, .tier])
    }

    static func logins(_ span: Oracle.Span, by grouping: Oracle.Grouping, limit: Int? = nil) -> Self {
        Self(
            name: "logins",
            parameters: range(span) + [("by", grouping.rawValue)] + Self.limit(limit),
            answer: { oracle in
                guard let period = grouping.period else { return oracle.logins(span, by: grouping, limit: limit) }
                return oracle.byPeriod(period, of: span) { oracle.logins($0, by: .ungrouped) }
            }
        ).filterable(by: Oracle.Grouping.ofEveryEvent).answered(in: .database).refused(
            if: limit != nil && (grouping == .ungrouped || grouping.period != nil)
        ).told(by: grouping.period, in: span)
    }

    static func generations(_ query: Oracle.GenerationsQuery) -> Self {
        Self(
            name: "generations",
            parameters: range(query.span) + [
                ("depth", String(query.depth)), ("by", query.grouping.rawValue), ("limit", String(query.limit)),
                ("lookback", text(query.lookback)),
            ] + (query.below.map { [("below", $0)] } ?? []),
            answer: { $0.generations(query) }
        ).filterable(by: Oracle.Grouping.keys + [.doubt])
    }

    static func viral(_ query: Oracle.ViralQuery) -> Self {
        Self(
            name: "viral",
            parameters: range(query.span) + [
                ("by", query.keys.isEmpty ? "none" : query.keys.map(\.rawValue).joined(separator: ",")),
                ("lookback", text(query.lookback)),
            ] + (query.within.map { [("within", text($0))] } ?? []) + query.conditions.map { ("where", $0.text) }
                + limit(query.limit),
            answer: { $0.viral(query) }
        )
    }

    static func funnel(_ query: Oracle.FunnelQuery, _ table: Oracle.FunnelTable = .steps) -> Self {
        Self(
            name: "funnel",
            parameters: range(query.span) + [("steps", query.steps.joined(separator: ","))] + by(query)
                + funnel(query) + flag(table),
            answer: { $0.funnel(query, table) }
        ).filterable(by: (Oracle.Grouping.keys + [.tier]).filter(query.has)).refused(
            if: !query.groupings.allSatisfy(query.has)
        )
        .told(by: query, table)
    }

    static func installs(_ query: Oracle.FunnelQuery, _ table: Oracle.FunnelTable = .steps) -> Self {
        // `installs` has other steps, and fewer.
        var query = Oracle.ofInstalls(query)
        query.stepWindows = query.stepWindows.filter { $0.key < query.steps.count }
        query.exclusions.removeAll { $0 == "install" || $0 == "authentication" }
        if query.order == .any { query.exclusions.removeAll { $0 == "conversion" } }
        let asked = query
        return Self(
            name: "installs",
            parameters: range(asked.span) + by(asked) + funnel(asked) + flag(table),
            answer: { $0.installs(asked, table) }
        ).filterable().refused(
            if: asked.groupings.contains {
                $0 == .tier || $0 == .doubt || [.injected, .joinedBy].contains($0) && asked.order != .any
            }
        ).told(by: asked, table)
    }

    private static func by(_ query: Oracle.FunnelQuery) -> [(name: String, value: String)] {
        let names = query.groupings.map(\.rawValue)
        return [("by", names.isEmpty ? "none" : names.joined(separator: ",")), ("limit", String(query.limit))]
    }

    private static func flag(_ table: Oracle.FunnelTable) -> [(name: String, value: String)] {
        switch table {
        case .steps: []
        case .besidePrevious: [("compare-previous", "true")]
        case .times: [("times", "true")]
        }
    }

    /// The parameters of every report about funnels.
    private static func funnel(_ query: Oracle.FunnelQuery) -> [(name: String, value: String)] {
        var parameters = [
            ("matured", query.isMatured ? "on" : "off"), ("window", text(query.window)),
            ("order", query.order.rawValue),
        ]
        if !query.stepWindows.isEmpty {
            let limits = query.stepWindows.sorted { $0.key < $1.key }.map { "\($0.key):\(text($0.value))" }
            parameters.append(("step-window", limits.joined(separator: ",")))
        }
        if !query.exclusions.isEmpty { parameters.append(("exclude", query.exclusions.joined(separator: ","))) }
        return parameters.map { (name: $0.0, value: $0.1) }
    }

    static func attribution(_ query: Oracle.AttributionQuery) -> Self {
        let goal = query.credited == .conversion ? goal(query.goal) : []
        return Self(
            name: "attribution",
            parameters: range(query.span) + goal + [
                ("event", query.credited.rawValue), ("by", query.grouping.rawValue),
                ("model", query.models.map(\.rawValue).joined(separator: ",")), ("limit", String(query.limit)),
                ("lookback", text(query.lookback)),
            ],
            answer: { $0.attribution(query) }
        ).filterable(by: Oracle.Grouping.keys + (query.credited == .conversion ? [.tier] : []))
    }

    static func posts(
        _ span: Oracle.Span,
        by length: Oracle.PeriodLength?,
        where conditions: [Oracle.PostCondition] = [],
        limit: Int? = nil
    ) -> Self {
        Self(
            name: "posts",
            parameters: range(span) + period(length) + conditions.map { ("where", $0.text) } + Self.limit(limit),
            answer: { oracle in
                let largest = limit.map { limit in
                    oracle.posts(span, where: conditions).filter { !isAlwaysShown($0) }.prefix(limit)
                        .map { $0.prefix(2).map { Oracle.Name($0) } }
                }
                return oracle.byPeriod(length, of: span) {
                    oracle.posts($0, where: conditions, showing: largest.map(Set.init))
                }
            }
        ).told(by: length, in: span)
    }

    static func eachPost(_ query: Oracle.EachPostQuery) -> Self {
        Self(
            name: "posts",
            parameters: range(query.span) + goal(query.goal) + [
                ("each", "true"), ("sort", query.sort), ("limit", String(query.limit)),
                ("lookback", text(query.lookback)),
            ] + query.conditions.map { ("where", $0.text) },
            answer: { $0.eachPost(query) }
        ).answered(in: query.isNamed ? .database : .memory)
    }

    static func retention(_ query: Oracle.RetentionQuery) -> Self {
        Self(
            name: "retention",
            parameters: range(query.span) + [
                ("period", query.period.rawValue), ("at", query.periods.map(String.init).joined(separator: ",")),
                ("pooled", query.pooledAt == nil ? "off" : "on"),
                ("by", query.grouping.rawValue), ("limit", String(query.limit)), ("cohort", query.cohort),
                ("returns", query.returns), ("return", query.rule),
            ] + (query.isOfTouches ? [] : [("lookback", text(query.lookback))]),
            answer: { $0.retention(query) }
        ).filterable().told(
            by: query.pooledAt == nil
                ? Oracle.PeriodColumn(component: component(query.period), laterBy: 2, firstFigure: 4) : nil
        ) { _ in query.span }
    }

    static func activity(_ query: Oracle.ActivityQuery) -> Self {
        Self(
            name: "activity",
            parameters: range(query.span) + [
                ("period", query.period.rawValue), ("by", query.grouping.rawValue), ("limit", String(query.limit)),
            ] + (query.takesFirst ? [("first", "on")] : []),
            answer: { $0.activity(query) }
        ).filterable().told(by: query.period, in: query.span)
    }

    static func overlap(_ query: Oracle.OverlapQuery) -> Self {
        let values =
            query.pair.map { [("a", $0.a), ("b", $0.b)] } ?? [("limit", String(query.limit))]
        return Self(
            name: "overlap",
            parameters: range(query.span) + goal(query.goal) + [("by", query.grouping.rawValue)] + values,
            answer: { $0.overlap(query) }
        ).filterable()
    }

    static func paths(_ query: Oracle.PathsQuery) -> Self {
        Self(
            name: "paths",
            parameters: range(query.span) + goal(query.goal) + [
                ("lookback", text(query.lookback)), ("limit", String(query.limit ?? 1000)),
            ],
            answer: { $0.paths(query) }
        )
    }

    static func compare(_ query: Oracle.CompareQuery) -> Self {
        if let start = query.start {
            let hasWindow = query.metric != "login_failure"
            return Self(
                name: "compare",
                parameters: range(query.funnel.span) + [
                    ("a", query.a), ("b", query.b.joined(separator: ",")), ("by", query.grouping.rawValue),
                    ("metric", query.metric),
                ]
                    + (hasWindow
                        ? [("window", text(query.funnel.window)), ("matured", query.funnel.isMatured ? "on" : "off")]
                        : []),
                answer: { $0.compare(query) }
            ).filterable(by: Oracle.Grouping.keys.filter { $0.isPossible(for: start) })
        }
        return Self(
            name: "compare",
            parameters: range(query.funnel.span) + [
                ("a", query.a), ("b", query.b.joined(separator: ",")), ("by", query.grouping.rawValue),
                ("steps", query.funnel.steps.joined(separator: ",")),
            ] + funnel(query.funnel),
            answer: { $0.compare(query) }
        ).filterable(by: (Oracle.Grouping.keys + [.tier]).filter(query.funnel.has))
            .refused(if: !query.funnel.has(query.grouping))
    }

    private static func component(_ period: Oracle.Period) -> Calendar.Component {
        switch period {
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        }
    }

    private static func isAlwaysShown(_ row: [String]) -> Bool {
        ["(none)", "direct", "total"].contains(row[0])
    }

    private static func isZero(_ row: [String]) -> Bool {
        row.dropFirst().allSatisfy { $0 == "0" || $0.isEmpty }
    }

    static func range(_ span: Oracle.Span) -> [(name: String, value: String)] {
        [("from", span.from.rfc3339), ("to", span.to.rfc3339)]
    }

    private static func limit(_ limit: Int?) -> [(name: String, value: String)] {
        limit.map { [("limit", String($0))] } ?? []
    }

    static func goal(_ goal: String?) -> [(name: String, value: String)] {
        goal.map { [("goal", $0)] } ?? []
    }

    static func period(_ length: Oracle.PeriodLength?) -> [(name: String, value: String)] {
        length.map { [("by", $0.rawValue)] } ?? []
    }

    static func text(_ duration: Duration) -> String {
        "\(duration.components.seconds)s"
    }
}
