/// Which reports are kept as figures, with which parameters.
enum FigureDefinitions {
    /// To be raised when a figure is made otherwise than before, by a change here or in a report's definition: all figures
    /// are then made afresh.
    static let version = 1

    /// Of credits.
    static let lookback = ReportDuration(days: 7)
    /// Of funnels.
    static let window = ReportDuration(days: 7)

    /// How many periods after the first retention is kept for.
    static func retentionPeriods(_ granularity: FigureGranularity) -> Int {
        granularity == .day ? 30 : 8
    }

    static let funnelSteps = "inbound_link,authentication,conversion"

    /// - Throws: `ReportError` where a report has changed such that it does not fit any more.
    static func sources(
        of family: FigureFamily,
        _ granularity: FigureGranularity
    ) throws(ReportError) -> [FigureSource] {
        switch family {
        case .totals: try totals()
        case .funnels: try funnels()
        case .retention: try retention(granularity)
        }
    }

    private static func totals() throws(ReportError) -> [FigureSource] {
        var sources = [
            try FigureSource(.channel, ChannelsReport.self, ["lookback": lookback.text]),
            try FigureSource(.ref, RefsReport.self, ["lookback": lookback.text]),
            try FigureSource(.post, PostsReport.self),
        ]
        for event in AttributionReport.Credited.allCases {
            for grouping in AttributionReport.Grouping.allCases {
                sources.append(
                    try FigureSource(
                        .attribution,
                        AttributionReport.self,
                        [
                            "event": event.rawValue, "model": "all", "by": grouping.rawValue,
                            "lookback": lookback.text,
                        ],
                        discriminators: [event.rawValue, grouping.rawValue],
                        totals: .lastOfEach(column: "model")
                    )
                )
            }
        }
        return sources
    }

    private static func funnels() throws(ReportError) -> [FigureSource] {
        var sources: [FigureSource] = []
        for grouping in [EventGrouping.channel, .ref] {
            sources += [
                try FigureSource(
                    .funnel,
                    FunnelReport.self,
                    ["steps": funnelSteps, "by": grouping.rawValue, "window": window.text],
                    discriminators: ["funnel", grouping.rawValue],
                    totals: .last(3)
                ),
                try FigureSource(
                    .funnel,
                    InstallsReport.self,
                    ["by": grouping.rawValue, "window": window.text],
                    discriminators: ["installs", grouping.rawValue],
                    totals: .last(InstallsReport.steps.count)
                ),
            ]
        }
        return sources
    }

    private static func retention(_ granularity: FigureGranularity) throws(ReportError) -> [FigureSource] {
        let periods = retentionPeriods(granularity)
        return [
            try FigureSource(
                .retention,
                RetentionReport.self,
                ["period": granularity.rawValue, "periods": String(periods), "by": EventGrouping.channel.rawValue],
                discriminators: [EventGrouping.channel.rawValue],
                totals: .last(periods)
            )
        ]
    }
}
