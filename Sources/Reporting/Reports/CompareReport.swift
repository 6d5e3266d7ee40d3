import Events
import InboundLinks

/// Two refs or channels against each other.
struct CompareReport: Report {
    enum Grouping: String, CaseIterable {
        case channel
        case ref
    }

    static let name = "compare"
    static let summary =
        "Two channels or refs by the rate of people who reach a funnel's last step, and whether it differs."
    static let parameters: [ReportParameter] = [
        ReportParameter("a", "NAME", "The one: a channel or a ref. Required."),
        ReportParameter("b", "NAME", "The other. Required."),
        ReportParameter(
            "by",
            "GROUPING",
            "What a and b are.",
            default: "channel where both are channels' names, else ref",
            allowed: Grouping.allCases.map(\.rawValue)
        ),
        .steps, .window,
    ]
    static let columns: [ReportColumn] = [
        .text("a", "The one channel or ref."),
        .text("b", "The other."),
        .text("metric", "The funnel's last step."),
        .integer("a_people", unit: "people", "People of the first step, in `a`."),
        .rate("a_rate", "The part of them that reached the last step."),
        .integer("b_people", unit: "people", "People of the first step, in `b`."),
        .rate("b_rate", "The part of them that reached the last step."),
        .rate("difference", "`a_rate` − `b_rate`."),
        .rate("ci_low", "Lower end of the 95 % interval of the difference, each rate with its own variance."),
        .rate("ci_high", "Upper end of that interval."),
        .ratio(
            "p_value",
            unit: "probability",
            "Of the two-sided two-proportion z-test with the pooled variance. Empty where nobody or everybody succeeded."
        ),
    ]

    let a: String
    let b: String
    let funnel: Funnel

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        guard let a = try parameters.text("a") else { throw .invalid("a", "is required: a channel or a ref") }
        guard let b = try parameters.text("b") else { throw .invalid("b", "is required: a channel or a ref") }
        let areChannels = Channel(rawValue: a) != nil && Channel(rawValue: b) != nil
        let grouping = try parameters.choice("by", default: areChannels ? Grouping.channel : .ref)
        if grouping == .channel {
            for (field, name) in [("a", a), ("b", b)] where Channel(rawValue: name) == nil {
                throw .unknown("channel", name, field: field, allowed: Channel.allCases.map(\.rawValue))
            }
        }
        let steps = try Funnel.steps(reading: &parameters)
        let needed: EventGrouping = grouping == .channel ? .channel : .ref
        guard EventGrouping.allowed(for: steps[0]).contains(needed) else {
            throw .invalid("steps", "\(steps[0]) events have no \(grouping.rawValue)")
        }
        self.a = a
        self.b = b
        funnel = Funnel(
            steps: steps,
            grouping: needed,
            window: try parameters.duration("window", default: ReportDuration(days: 7))
        )
    }

    var methods: [StatisticalMethod] { [.differenceInterval, .twoProportionTest] }

    func demand(in range: ReportRange) -> TimelineDemand {
        funnel.demand(in: range)
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
        funnel = FunnelFold(report.funnel, run)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        funnel.add(person)
    }

    mutating func merge(_ other: CompareFold) {
        funnel.merge(other.funnel)
    }

    consuming func finish() -> [[ReportCell]] {
        let last = report.funnel.steps.count - 1
        let a = funnel.counts(ofGroup: report.a)
        let b = funnel.counts(ofGroup: report.b)
        let people = (a: a?.people(at: 0) ?? 0, b: b?.people(at: 0) ?? 0)
        let reached = (a: a?.people(at: last) ?? 0, b: b?.people(at: last) ?? 0)
        let difference = Int128(reached.a) * Int128(people.b) - Int128(reached.b) * Int128(people.a)
        let test = TwoProportionTest(successes: reached, trials: people)
        return [
            [
                .text(report.a), .text(report.b), .text(report.funnel.steps[last].description),
                .integer(people.a), .fraction(reached.a, of: people.a),
                .integer(people.b), .fraction(reached.b, of: people.b),
                .fraction(difference, of: Int128(people.a) * Int128(people.b)),
                test.map { .fraction($0.low) } ?? .empty,
                test.map { .fraction($0.high) } ?? .empty,
                test?.pValue.map { .fraction($0) } ?? .empty,
            ]
        ]
    }
}
