import Events
import InboundLinks
import Time
import Timelines

/// Compares channels, refs or other properties with one of them.
struct CompareReport: Report {
    static let name = "compare"
    static let summary =
        "Compares channels or refs by the rate of people who reach a funnel's last step."
    static let examples = ["--a giveaway --b invite_friend", "--a recipe --b giveaway,badge --from 7d"]
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
            default: "channel where all are channels' names, else ref",
            allowed: EventGrouping.filterKeys.map(\.rawValue)
        ),
        .filter(EventGrouping.filterKeys), .steps, .window, .stepWindow, .order, .exclude, .maturedUnlessOff,
    ]
    static let columns: [ReportColumn] = [
        .text("a", "The one channel or ref, or what `--by` names."),
        .text("b", "The other."),
        .text("metric", "The funnel's last step."),
        .integer("a_people", unit: "people", "People of the first step, in `a`."),
        .integer("a_open", unit: "people", openMeaning),
        .rate("a_rate", "The share of them that reached the last step."),
        .integer("b_people", unit: "people", "People of the first step, in `b`."),
        .integer("b_open", unit: "people", openMeaning),
        .rate("b_rate", "The share of them that reached the last step."),
        .rate("difference", "`a_rate` − `b_rate`."),
        .rate(
            "ci_low",
            "Lower end of Newcombe's 95 % interval of the difference, with Holm's correction if `b` is a list. Empty while more than a tenth of `a` or of `b` is open."
        ),
        .rate("ci_high", "Upper end of that interval."),
        .probability(
            "p_value",
            "The p-value of the two-sided two-proportion z-test with the pooled variance, with Holm's correction if `b` is a list. Empty if nobody or everybody succeeded, and while more than a tenth of `a` or of `b` is open."
        ),
    ]
    private static let openMeaning =
        "Those of them who have not reached the last step but still can, because the window of a start is not over. They count as not having reached it. 0 with `--matured`."

    let a: String
    /// In the order of rows: channels in their own order, refs by name, `(none)` last.
    let others: [String]
    let funnel: Funnel

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        guard let a = try parameters.text("a") else {
            throw .required("a", "a channel or a ref", example: "story_links")
        }
        try Self.checkIsGroup(a, field: "a")
        let others = try Self.others(reading: &parameters, than: a)
        // Every key may have a row (none).
        let areChannels = ([a] + others).filter { $0 != ReportNames.none }.allSatisfy { Channel(rawValue: $0) != nil }
        let grouping = try parameters.choice(
            "by",
            default: areChannels ? EventGrouping.channel : .ref,
            among: parameters.groupings { $0 != .none && $0 != .day }
        )
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
        funnel = try Funnel(reading: &parameters, groupings: [grouping])
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
        let methods: [StatisticalMethod] = [.differenceInterval, .twoProportionTest]
        return others.count > 1 ? methods.map(\.holmAdjusted) : methods
    }

    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { funnel.matureEnd(at: now) }

    /// Channels and the like are known without events.
    var namedValues: [NamedValue] {
        guard let grouping = funnel.groupings.first, let kind = grouping.namedKind else {
            return funnel.namedValues
        }
        let names = ([("a", a)] + others.map { ("b", $0) }).filter { !kind.isCollective($0.1) }
        let channels = kind == .key(.ref) ? Channel.allCases.map(\.rawValue) : []
        return names.map { NamedValue(parameter: $0.0, kind: kind, text: $0.1, others: channels) } + funnel.namedValues
    }

    func warnings(of rows: [[ReportCell]]) -> [ReportWarning] {
        func side(_ name: String, _ row: [ReportCell]) -> (name: String, open: Int64, people: Int64)? {
            func cell(_ column: String) -> ReportCell? {
                Self.columns.firstIndex { $0.name == column }.map { row[$0] }
            }
            guard case .text(let text) = cell(name), case .integer(let people) = cell("\(name)_people"),
                case .integer(let open) = cell("\(name)_open"), !Self.isMostlyOver(open: open, people: people)
            else { return nil }
            return (text, open, people)
        }
        let sides = rows.prefix(1).map { side("a", $0) } + rows.map { side("b", $0) }
        return [ReportWarning(stillOpen: sides.compactMap(\.self))].compactMap(\.self)
    }

    /// With more people open, what is missing is time, and a test would take it for a difference.
    fileprivate static func isMostlyOver(open: Int64, people: Int64) -> Bool { Int128(open) * 10 <= Int128(people) }

    func query(in range: ReportRange) -> TimelineQuery {
        funnel.query(in: range)
    }

    func makeFold(_ run: ReportRun) -> CompareFold {
        CompareFold(self, run)
    }
}

struct CompareFold: ReportFold {
    private let report: CompareReport
    private var funnel: FunnelFold

    init(_ report: CompareReport, _ run: ReportRun) {
        self.report = report
        funnel = FunnelFold(report.funnel, run, groups: [report.a] + report.others)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        funnel.add(person)
    }

    mutating func merge(_ other: CompareFold) {
        funnel.merge(other.funnel)
    }

    consuming func finish() throws -> [[ReportCell]] {
        let a = try side(ofGroup: report.a)
        let others = try report.others.map { name in try side(ofGroup: name) }
        let tests = TwoProportionTest.corrected(
            others.map { b in a.isMostlyOver && b.isMostlyOver ? (a.proportion, b.proportion) : nil }
        )
        return report.others.indices.map { position in
            let (b, test) = (others[position], tests[position])
            let difference = Int128(a.reached) * Int128(b.people) - Int128(b.reached) * Int128(a.people)
            return [
                .text(report.a), .text(report.others[position]), .text(metric),
                .integer(a.people), .integer(a.open), .fraction(a.reached, of: a.people),
                .integer(b.people), .integer(b.open), .fraction(b.reached, of: b.people),
                .fraction(difference, of: Int128(a.people) * Int128(b.people)),
                test.map { .fraction($0.low) } ?? .empty,
                test.map { .fraction($0.high) } ?? .empty,
                test?.pValue.map { .probability($0) } ?? .empty,
            ]
        }
    }

    /// The name of the last step.
    private var metric: String { report.funnel.name(ofStep: report.funnel.steps.count - 1) }

    private struct Side {
        /// Of the first step.
        var people: Int64 = 0
        /// Those of them who reached the last step.
        var reached: Int64 = 0
        /// Those of them who have not, and still can.
        var open: Int64 = 0

        var proportion: Proportion { Proportion(successes: reached, trials: people) }
        var isMostlyOver: Bool { CompareReport.isMostlyOver(open: open, people: people) }
    }

    private func side(ofGroup name: String) throws -> Side {
        guard let counts = try funnel.counts(ofGroup: name) else { return Side() }
        let steps = report.funnel.steps.indices
        return Side(
            people: counts.people(at: 0),
            reached: counts.people(at: steps.upperBound - 1),
            open: steps.reduce(0) { $0 + counts.open(at: $1) }
        )
    }
}
