/// People through steps of one's own choice.
struct FunnelReport: Report {
    static let name = "funnel"
    static let summary = "How many people get from step to step, how long it takes them, and how sure the rate is."
    static let parameters: [ReportParameter] = [
        .steps,
        ReportParameter(
            "by",
            "GROUPING",
            "Groups by a property of the first step's event.",
            default: "none",
            allowed: EventGrouping.allCases.map(\.rawValue)
        ),
        .window,
    ]
    static let columns = FunnelFold.columns

    let funnel: Funnel

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        let steps = try Funnel.steps(reading: &parameters)
        funnel = Funnel(
            steps: steps,
            grouping: try Funnel.grouping(reading: &parameters, firstStep: steps[0]),
            window: try parameters.duration("window", default: ReportDuration(days: 7))
        )
    }

    var methods: [StatisticalMethod] { [.wilsonInterval] }

    func demand(in range: ReportRange) -> TimelineDemand {
        funnel.demand(in: range)
    }

    func makeFold(_ run: ReportRun) -> FunnelFold {
        FunnelFold(funnel, run)
    }
}
