/// The funnel from a tap on a link over the install to the conversion.
struct InstallsReport: Report {
    static let name = "installs"
    static let summary = "The funnel from a tap on a link to an install, an authentication and a conversion."
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "GROUPING",
            "Groups by a property of the tap.",
            default: "none",
            allowed: EventGrouping.allCases.map(\.rawValue)
        ),
        .window,
    ]
    static let columns = FunnelFold.columns
    static let steps: [FunnelStep] = [.tap, .install, .authentication, .conversion(nil)]

    let funnel: Funnel

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        funnel = Funnel(
            steps: Self.steps,
            grouping: try Funnel.grouping(reading: &parameters, firstStep: .tap),
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
