import Storage

/// The reports that are kept as figures, and their parameters.
enum FigureDefinitions {
    /// Raise it if a figure is computed differently, because of a change here or in a report's definition. All figures
    /// are then computed again.
    static let version = 5

    /// The lookback of credits.
    static let lookback = ReportDuration(days: 7)
    /// The window of funnels.
    static let window = ReportDuration(days: 7)

    /// As many groups as a report can show.
    private static let limit = String(GroupFinder.limits.upperBound)

    /// For how many periods after the first retention is kept.
    static func retentionPeriods(_ granularity: CalendarPeriod) -> Int {
        granularity == .day ? 30 : 8
    }

    static let funnelSteps = "inbound_link,authentication,conversion"

    /// The keys of every app that have figures, beside `channel` and `ref`.
    static let keys: [EventGrouping] = [.appVersion, .country, .language]

    /// - Parameter properties: those of the app that have figures.
    /// - Throws: `ReportError` if a report has changed and no longer fits.
    static func sources(
        of family: FigureFamily,
        _ granularity: CalendarPeriod,
        _ properties: [AppProperty]
    ) throws(ReportError) -> [FigureSource] {
        switch family {
        case .totals:
            try totals()
                + byKeys(keys.map { ($0.rawValue, AppProperty.defaultValueLimit) }, of: .touch, properties)
        case .personProperties: try byKeys([], of: .person, properties)
        case .funnels: try funnels()
        case .retention: try retention(granularity)
        case .viral:
            [
                try FigureSource(
                    .viral,
                    ViralReport.self,
                    ["by": PostKey.ref.rawValue, "lookback": lookback.text],
                    discriminators: [PostKey.ref.rawValue]
                )
            ]
        case .activity: [try FigureSource(.activity, ActivityReport.self, ["period": granularity.rawValue])]
        }
    }

    private static func totals() throws(ReportError) -> [FigureSource] {
        var sources = [
            try FigureSource(.channel, ChannelsReport.self, ["lookback": lookback.text]),
            try FigureSource(.ref, RefsReport.self, ["lookback": lookback.text]),
            try FigureSource(.post, PostsReport.self),
        ]
        for event in AttributionReport.Credited.allCases {
            for grouping in [EventGrouping.channel, .ref] {
                sources.append(
                    try FigureSource(
                        .attribution,
                        AttributionReport.self,
                        [
                            "event": event.rawValue, "model": "all", "by": grouping.rawValue, "limit": limit,
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

    /// - Parameters:
    ///   - keys: those of every app.
    ///   - kind: of which of the properties.
    private static func byKeys(
        _ keys: [(name: String, values: Int)],
        of kind: AppProperty.Kind,
        _ properties: [AppProperty]
    ) throws(ReportError) -> [FigureSource] {
        let keys = keys + properties.filter { $0.kind == kind }.map { ($0.name, $0.valueLimit) }
        return try keys.map { key throws(ReportError) in
            try FigureSource(
                .property,
                BreakdownReport.self,
                ["by": key.name, "limit": String(key.values), "lookback": lookback.text],
                properties: properties,
                key: key.name,
                discriminators: [key.name]
            )
        }
    }

    private static func funnels() throws(ReportError) -> [FigureSource] {
        var sources: [FigureSource] = []
        for grouping in [EventGrouping.channel, .ref] {
            sources += [
                try FigureSource(
                    .funnel,
                    FunnelReport.self,
                    ["steps": funnelSteps, "by": grouping.rawValue, "limit": limit, "window": window.text],
                    discriminators: ["funnel", grouping.rawValue],
                    totals: .last(3)
                ),
                try FigureSource(
                    .funnel,
                    InstallsReport.self,
                    ["by": grouping.rawValue, "limit": limit, "window": window.text],
                    discriminators: ["installs", grouping.rawValue],
                    totals: .last(InstallsReport.steps.count)
                ),
            ]
        }
        return sources
    }

    private static func retention(_ granularity: CalendarPeriod) throws(ReportError) -> [FigureSource] {
        let periods = retentionPeriods(granularity)
        return [
            try FigureSource(
                .retention,
                RetentionReport.self,
                // Any event, however old, may change whether a touch is the first one ever.
                [
                    "cohort": RetentionCohort.touchInRange.description, "period": granularity.rawValue,
                    "periods": String(periods), "by": EventGrouping.channel.rawValue,
                ],
                discriminators: [EventGrouping.channel.rawValue],
                totals: .last(periods)
            )
        ]
    }
}
