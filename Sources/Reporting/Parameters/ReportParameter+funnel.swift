extension ReportParameter {
    static let steps = ReportParameter(
        "steps",
        "LIST",
        "The funnel's steps, 2–8, separated by commas; one may come again, as 'touch,touch': \(FunnelEvent.names.joined(separator: ", ")); or several that serve one step, as 'install|authentication'. Conditions stand in brackets, as in --where: 'touch[ref=mail],conversion:buy[platform=ios]', also on outcomes: 'authentication[outcome=failed]', 'conversion[outcome=paid]'. All steps are of one person: after feed_post, an install is the poster's own.",
        default: FunnelStep.defaultSteps.map(\.description).joined(separator: ","),
        offered: FunnelEvent.names
    )
    static let window = ReportParameter(
        "window",
        "DURATION",
        "How long after its start a funnel may end (\(ReportDuration.limitText)).",
        default: "7d"
    )
    static let stepWindow = ReportParameter(
        "step-window",
        "LIST",
        "How long single steps may take: 1:1h,2:3d is at most 1 hour from step 1 to step 2, and 3 days from step 2 to step 3."
    )
    static let order = ReportParameter(
        "order",
        "ORDER",
        "sequential: one step after the other; strict: with no other event of the person between two steps; any: in any order.",
        default: FunnelOrder.sequential.rawValue,
        allowed: FunnelOrder.allCases.map(\.rawValue)
    )
    static let exclude = ReportParameter(
        "exclude",
        "LIST",
        "Events, named like steps, that must not occur between the first and the last event of a funnel.",
        offered: FunnelEvent.names,
        repetition: .list
    )
    private static let times = ReportParameter(
        "times",
        "",
        "Show how long the steps take instead: percentiles and a histogram."
    )

    /// The parameters of every report about one funnel, beside its steps and groups.
    static let funnel = [
        GroupFinder.limit("people of the first step", " Channels, platforms and the like are always shown."),
        .filter(EventGrouping.filterKeys), window, stepWindow, order, exclude, times, matured,
    ]

    static func funnelGrouping(_ summary: String) -> ReportParameter {
        let names = EventGrouping.allCases.map(\.rawValue)
        return ReportParameter("by", "GROUPING", "\(summary): channel,ref.", default: "none", allowed: names)
    }
}
