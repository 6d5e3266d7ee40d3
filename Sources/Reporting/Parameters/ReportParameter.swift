/// A parameter of a report, as help texts and API descriptions show it. The command line writes `--name`, HTTP `name=`.
package struct ReportParameter: Equatable, Sendable {
    package var name: String
    /// The placeholder of the value in help: `DURATION`.
    package var valueName: String
    package var summary: String
    /// Nil if there is no default.
    package var defaultValue: String?
    /// All valid values if the value is chosen from a list; else empty.
    package var allowed: [String]

    init(
        _ name: String,
        _ valueName: String,
        _ summary: String,
        default defaultValue: String? = nil,
        allowed: [String] = []
    ) {
        self.name = name
        self.valueName = valueName
        self.summary = summary
        self.defaultValue = defaultValue
        self.allowed = allowed
    }
}

extension ReportParameter {
    static let goal = ReportParameter("goal", "NAME", "Count only conversions of this name.")
    static let lookback = ReportParameter(
        "lookback",
        "DURATION",
        "How long before an install or conversion a touch may be to get credit for it (\(ReportDuration.limitText)).",
        default: "7d"
    )
    /// The parameters that all reports share.
    package static let common: [ReportParameter] = [
        ReportParameter(
            "from",
            "TIME",
            "The start, included: a date in the time zone, or RFC 3339.",
            default: "30 days before the end"
        ),
        ReportParameter("to", "TIME", "The end, not included.", default: "now"),
        ReportParameter("tz", "ZONE", "The time zone of dates, an IANA name.", default: "the app's"),
        ReportParameter("format", "FORMAT", "How to write it.", allowed: ReportFormat.allCases.map(\.rawValue)),
    ]

    /// The parameters that all reports share on the command line only.
    package static let commandLine: [ReportParameter] = [
        ReportParameter("output", "FILE", "Write to this file instead of standard output."),
        ReportParameter("sql", "", "Print the SQL and its parameters, and run nothing."),
    ]
}
