/// A parameter of a report, as help texts and API descriptions show it. The command line writes it `--name`, HTTP `name=`.
package struct ReportParameter: Equatable, Sendable {
    package var name: String
    /// What stands for the value in help: `DURATION`.
    package var valueName: String
    package var summary: String
    /// Nil where there is none.
    package var defaultValue: String?
    /// Every valid value where it is a choice from a list; else empty.
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
        "How long before an install or conversion a touch may lie to be credited with it (\(ReportDuration.limitText)).",
        default: "7d"
    )
    /// What every report takes beside its own.
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

    /// What every report takes on the command line alone.
    package static let commandLine: [ReportParameter] = [
        ReportParameter("output", "FILE", "Write to this file instead of standard output."),
        ReportParameter("sql", "", "Print the SQL and its parameters, and run nothing."),
    ]
}
