import Events
import InboundLinks
import Time
import Timelines

/// Compares channels, refs or other properties with one of them.
struct CompareReport: Report {
    static let name = "compare"
    static let summary =
        "Compares channels or refs by the rate of people who reach a funnel's last step, or by another metric."
    static let examples = ["--a giveaway --b invite_friend", "--a ios --b android --metric login_failure"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "a",
            "NAME",
            "The channel, the ref, or what by names, to compare; (none) for people without it.",
            isRequired: true
        ),
        ReportParameter(
            "b",
            "LIST",
            "Another one, or several separated by commas; each is compared with a.",
            isRequired: true
        ),
        ReportParameter(
            "by",
            "GROUPING",
            "What a and b are.",
            default: "channel where all are channels' names, else ref; with login_failure platform",
            allowed: EventGrouping.filterKeys.map(\.rawValue)
        ),
        ReportParameter(
            "metric",
            "METRIC",
            "What is compared: the rate of people who reach a funnel's last step; touches per feed post and posts per person after a touch, in the window; or the share of people whose logins failed.",
            default: CompareMetric.funnel.rawValue,
            allowed: CompareMetric.allCases.map(\.rawValue)
        ),
        .filter(EventGrouping.filterKeys), .steps, .window, .stepWindow, .order, .exclude, .maturedUnlessOff,
    ]
    static let columns: [ReportColumn] = [
        .text("a", "The one channel or ref, or what `--by` names."),
        .text("b", "The other."),
        .text("metric", "The funnel's last step, or another metric."),
        .integer("a_people", unit: "people", peopleMeaning("a")),
        .integer("a_open", unit: "people", openMeaning),
        .rate("a_rate", rateMeaning),
        .integer("b_people", unit: "people", peopleMeaning("b")),
        .integer("b_open", unit: "people", openMeaning),
        .rate("b_rate", rateMeaning),
        .rate("difference", "`a_rate` − `b_rate`."),
        .rate(
            "ci_low",
            "Lower end of the 95 % interval of the difference, Newcombe's for rates and Welch's for means, with Holm's correction if `b` is a list. Empty while more than a tenth of `a` or of `b` is open."
        ),
        .rate("ci_high", "Upper end of that interval."),
        .probability(
            "p_value",
            "The p-value of the two-sided two-proportion z-test with the pooled variance, for means of Welch's t-test, with Holm's correction if `b` is a list. Empty if nobody or everybody succeeded, if the counts of each side are all the same, if a side has fewer than two, and while more than a tenth of `a` or of `b` is open."
        ),
    ]
    private static func peopleMeaning(_ side: String) -> String {
        "People of the first step, in `\(side)`; with `taps_per_post` posts, with `posts_per_person` people with a touch, with `login_failure` people who tried to log in."
    }
    private static let rateMeaning =
        "The share of them that reached the last step, or whose login failed; with the other metrics the mean of what each of them has."
    private static let openMeaning =
        "Those of them who have not reached the last step but still can, because the window of a start is not over. They count as not having reached it. With the other metrics all whose window is not over. 0 with `--matured`."

    let a: String
    /// In the order of rows: channels in their own order, refs by name, `(none)` last.
    let others: [String]
    let metric: CompareMetric
    let grouping: EventGrouping
    /// Of the metric `funnel`.
    let funnel: Funnel?
    /// Of the other metrics.
    let filter: EventFilter
    let window: ReportDuration

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        guard let a = try parameters.text("a") else {
            throw .required("a", "a channel or a ref", example: "story_links")
        }
        try Self.checkIsGroup(a, field: "a")
        let others = try Self.others(reading: &parameters, than: a)
        // Every key may have a row (none).
        let areChannels = ([a] + others).filter { $0 != ReportNames.none }.allSatisfy { Channel(rawValue: $0) != nil }
        metric = try parameters.choice("metric", default: .funnel)
        for name in metric.refused where parameters.isGiven(name) {
            throw .invalid(name, "means nothing for the metric \(metric.rawValue); leave it out")
        }
        let keys =
            metric.start.map { parameters.filterKeys(of: $0) }
            ?? parameters.groupings { $0 != .none && $0.period == nil }
        let usual = metric == .loginFailure ? EventGrouping.platform : areChannels ? .channel : .ref
        grouping = try parameters.choice("by", default: keys.contains(usual) ? usual : .ref, among: keys)
        for (field, name) in [("a", a)] + others.map({ ("b", $0) }) where name == ReportNames.others {
            // Of declared properties, it is the group of the values that have none of their own.
            guard grouping.property != nil else { throw Self.isNoGroup(name, field: field) }
        }
        let named = others.filter { $0 != ReportNames.none }
        if let known = grouping.closedValues?.filter({ $0 != ReportNames.none }) {
            let allowed = known + [ReportNames.none]
            for (field, name) in [("a", a)] + others.map({ ("b", $0) }) where !allowed.contains(name) {
                throw .unknown(grouping.rawValue, name, field: field, allowed: allowed)
            }
            self.others = known.filter(named.contains) + others.filter { $0 == ReportNames.none }
        } else {
            self.others = named.sorted(by: precedes) + others.filter { $0 == ReportNames.none }
        }
        funnel = metric == .funnel ? try Funnel(reading: &parameters, groupings: [grouping]) : nil
        filter = metric == .funnel ? EventFilter() : try EventFilter(reading: &parameters, keys: keys)
        let week = ReportDuration(days: 7)
        window = metric.meanUnit == nil ? week : try parameters.duration("window", default: week)
        self.a = a
    }

    /// Names are compared byte by byte, as in the database.
    private static func others(
        reading parameters: inout ParameterReader,
        than a: String
    ) throws(ReportError) -> [String] {
        guard parameters.isGiven("b") else {
            throw .required("b", "a channel or a ref, or several", example: "search,bookmarks")
        }
        var others: [String] = []
        for name in parameters.list("b", default: []) {
            guard !name.isEmpty else { throw .invalid("b", "must be one or several names, none of them empty") }
            try checkIsGroup(name, field: "b")
            guard !name.utf8.elementsEqual(a.utf8) else { throw .isA(name) }
            guard !others.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                throw .invalid("b", "'\(name)' is given twice")
            }
            others.append(name)
        }
        return others
    }

    /// Of the rows that stand for no name, a funnel has only `(none)` and `total`.
    private static func checkIsGroup(_ name: String, field: String) throws(ReportError) {
        guard [ReportNames.direct, ReportNames.total].contains(name) else { return }
        throw isNoGroup(name, field: field)
    }

    private static func isNoGroup(_ name: String, field: String) -> ReportError {
        .invalid(
            field,
            "'\(name)' is no group of a funnel; (none) is the group of people whose first event has no channel or ref"
        )
    }

    var methods: [StatisticalMethod] {
        let methods: [StatisticalMethod] =
            metric.meanUnit == nil ? [.differenceInterval, .twoProportionTest] : [.welchInterval, .welchTest]
        return others.count > 1 ? methods.map { $0.holmAdjusted() } : methods
    }

    /// Means are no rates.
    var columns: [ReportColumn] {
        guard let unit = metric.meanUnit else { return Self.columns }
        return Self.columns.map { column in
            switch column.kind {
            case .rate: .ratio(column.name, unit: unit, column.meaning)
            case .integer where metric == .tapsPerPost: .integer(column.name, unit: "posts", column.meaning)
            default: column
            }
        }
    }

    /// A login has no window.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? {
        if let funnel { return funnel.matureEnd(at: now) }
        return metric.meanUnit == nil ? nil : now.advanced(by: .zero - window.duration)
    }

    /// Channels and the like are known without events.
    var namedValues: [NamedValue] {
        let conditions = funnel?.namedValues ?? filter.namedValues
        guard let kind = grouping.namedKind else { return conditions }
        let names = ([("a", a)] + others.map { ("b", $0) }).filter { !kind.isCollective($0.1) }
        let channels = kind == .key(.ref) ? Channel.allCases.map(\.rawValue) : []
        return names.map { NamedValue(parameter: $0.0, kind: kind, text: $0.1, others: channels) } + conditions
    }

    func warnings(of rows: [[ReportCell]]) -> [ReportWarning] {
        func side(_ name: String, _ row: [ReportCell]) -> (name: String, open: Int64, people: Int64)? {
            func cell(_ column: String) -> ReportCell? {
                Self.columns.firstIndex { $0.name == column }.map { row[$0] }
            }
            guard case .text(let text) = cell(name), case .integer(let people) = cell("\(name)_people"),
                case .integer(let open) = cell("\(name)_open"), !Self.isMostlyOver(open: open, people: people)
            else { return nil }
            return ("'\(text)'", open, people)
        }
        let sides = rows.prefix(1).map { side("a", $0) } + rows.map { side("b", $0) }
        return [ReportWarning(stillOpen: sides.compactMap(\.self))].compactMap(\.self)
    }

    /// With more people open, what is missing is time, and a test would take it for a difference.
    static func isMostlyOver(open: Int64, people: Int64) -> Bool { Int128(open) * 10 <= Int128(people) }

    func query(in range: ReportRange) -> TimelineQuery {
        if let funnel { return funnel.query(in: range) }
        var query =
            switch metric {
            case .funnel, .loginFailure: TimelineQuery([.authentication], in: range, needs: [])
            case .tapsPerPost, .postsPerPerson:
                TimelineQuery(
                    TimelineQuery.touchTypes.union([.feedPost]),
                    in: ReportRange(from: range.from, to: range.to.advanced(by: window.duration)),
                    needs: metric == .tapsPerPost ? [.ids, .refs, .storyPosts] : .ids
                )
            }
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    func makeFold(_ run: ReportRun) -> CompareFold {
        CompareFold(self, run)
    }
}

struct CompareFold: ReportFold {
    private let report: CompareReport
    private var funnel: FunnelFold?
    private var units: ComparedUnits

    init(_ report: CompareReport, _ run: ReportRun) {
        self.report = report
        funnel = report.funnel.map { FunnelFold($0, run, groups: [report.a] + report.others) }
        units = ComparedUnits(report, run)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        if report.metric == .funnel { funnel?.add(person) } else { units.add(person) }
    }

    var size: Int { units.size }

    mutating func merge(_ other: CompareFold) {
        if let funnel = other.funnel { self.funnel?.merge(funnel) }
        units.merge(other.units)
    }

    func finish() throws -> [[ReportCell]] {
        let sides =
            report.metric == .funnel
            ? try ([report.a] + report.others).map { name in try side(ofGroup: name) } : units.finish()
        let (a, others) = (sides[0], Array(sides.dropFirst()))
        func corrected<Test: DifferenceTest>(
            _ make: @escaping (UnitCounts, UnitCounts, Double) -> Test?
        ) -> [(any DifferenceTest)?] {
            holmCorrected(
                others.map { b -> ((Double) -> Test?)? in
                    guard a.isMostlyOver, b.isMostlyOver else { return nil }
                    return { make(a.counts, b.counts, $0) }
                }
            ).map { $0 }
        }
        let tests =
            report.metric.meanUnit == nil
            ? corrected { TwoProportionTest($0.proportion, $1.proportion, chance: $2) }
            : corrected { WelchTest($0, $1, chance: $2) }
        return report.others.indices.map { position in
            let (b, test) = (others[position], tests[position])
            let difference =
                Int128(a.counts.sum) * Int128(b.counts.units) - Int128(b.counts.sum) * Int128(a.counts.units)
            return [
                .text(report.a), .text(report.others[position]), .text(metric),
                .integer(a.counts.units), .integer(a.open), .fraction(a.counts.sum, of: a.counts.units),
                .integer(b.counts.units), .integer(b.open), .fraction(b.counts.sum, of: b.counts.units),
                .fraction(difference, of: Int128(a.counts.units) * Int128(b.counts.units)),
                test.map { .fraction($0.low) } ?? .empty,
                test.map { .fraction($0.high) } ?? .empty,
                test?.pValue.map { .probability($0) } ?? .empty,
            ]
        }
    }

    /// The name of the last step, or of another metric.
    private var metric: String {
        report.funnel.map { $0.name(ofStep: $0.steps.count - 1) } ?? report.metric.rawValue
    }

    private func side(ofGroup name: String) throws -> ComparedUnits.Side {
        guard let counts = try funnel?.counts(ofGroup: name), let steps = report.funnel?.steps.indices else {
            return ComparedUnits.Side()
        }
        return ComparedUnits.Side(
            counts: UnitCounts(units: counts.people(at: 0), sum: counts.people(at: steps.upperBound - 1)),
            open: steps.reduce(0) { $0 + counts.open(at: $1) }
        )
    }
}

extension ComparedUnits.Side {
    fileprivate var isMostlyOver: Bool { CompareReport.isMostlyOver(open: open, people: counts.units) }
}
